import { present } from '../../data/present.ts'
import type { EventOf } from '../../events.ts'
import type { RawChatEvent, RawSegment } from './raw.ts'

const WAITING: ReadonlySet<string> = new Set(['ready', 'approval', 'running', 'requested'])

/** What chat events imply about the run's end, which an export may leave out. */
export interface Ending {
  /** A call or a question has no answer yet. */
  isAwaiting: boolean
  /** A message was still being written. */
  isLive: boolean
  /** The last message was cut off; `error` is the cause, if the message ends with one. */
  isCut: boolean
  error: EventOf<'error'> | undefined
}

export const createEnding = (): Ending => ({ isAwaiting: false, isLive: false, isCut: false, error: undefined })

export function endingAfter(before: Ending, { state, segments }: RawChatEvent): Ending {
  const last = segments.at(-1)
  return {
    isAwaiting: before.isAwaiting || segments.some(isWaiting),
    isLive: before.isLive || state === 'live',
    isCut: state === 'interrupted',
    error: last?.type === 'error' ? last : undefined,
  }
}

function isWaiting(segment: RawSegment): boolean {
  if (segment.type === 'subagent') return segment.segments.some(isWaiting)
  return (segment.type === 'tool' || segment.type === 'approval') && WAITING.has(segment.state)
}

export function runEndOf({ isAwaiting, isLive, isCut, error }: Ending): readonly EventOf<'run-end'>[] {
  if (isAwaiting) return [{ type: 'run-end', outcome: 'awaiting-input' }]
  if (isLive || (isCut && error === undefined)) return []
  if (!isCut || error === undefined) return [{ type: 'run-end', outcome: 'success' }]
  const { message, code, name } = error
  return [{ type: 'run-end', outcome: 'error', error: { message, ...present({ code, name }) } }]
}
