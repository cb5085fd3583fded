import { rememberOne } from '../data/remember.ts'
import type { StreamEvent } from '../events.ts'

/** What persons have said, for streams that say it again: the server has logged it already. */
export interface Echoes {
  /** Takes each event that no record carries. */
  note(event: StreamEvent): void
  /** The events of a record without whole messages that repeat one of a person. */
  without(events: readonly StreamEvent[]): readonly StreamEvent[]
}

/** How many messages of persons are remembered. */
const MOST = 256

export function createEchoes(): Echoes {
  const texts = new Set<string>()
  let open: { readonly messageId: string; text: string } | undefined

  return {
    note(event) {
      if (event.type === 'message-start' && event.role === 'user') open = { messageId: event.messageId, text: '' }
      else if (event.type === 'block-delta' && event.messageId === open?.messageId && open) open.text += event.text
      else if (event.type === 'message-end' && open !== undefined) {
        if (open.text.trim() !== '') rememberOne(texts, open.text.trim(), MOST)
        open = undefined
      }
    },
    without(events) {
      if (texts.size === 0 || !events.some(isOfPerson)) return events
      const kept: StreamEvent[] = []
      for (let at = 0; at < events.length; at++) {
        const end = isOfPerson(events[at]) ? endOf(events, at) : -1
        const isEcho = end !== -1 && texts.has(textOf(events.slice(at, end)))
        if (isEcho) at = end
        else kept.push(events[at] as StreamEvent)
      }
      return kept
    },
  }
}

/** Whether a message of the person begins; what subagents are asked is no echo. */
const isOfPerson = (event: StreamEvent | undefined): boolean =>
  event?.type === 'message-start' && event.role === 'user' && event.agentId === undefined

/** Where the message that begins at an index ends; -1 if that is not in this record. */
function endOf(events: readonly StreamEvent[], start: number): number {
  const { messageId } = events[start] as StreamEvent
  return events.findIndex((event, at) => at > start && event.type === 'message-end' && event.messageId === messageId)
}

const textOf = (events: readonly StreamEvent[]): string =>
  events
    .map((event) => (event.type === 'block-delta' ? event.text : ''))
    .join('')
    .trim()
