import type { ThreadEvent, ThreadEventOf, ThreadEventType } from '../../data/thread-event.ts'
import type { ChatEvent, ToolSegment } from '../../fold/shapes.ts'
import type { ItemsOf } from '../../fold/thread-processor/items.ts'
import type { EventOf } from '../../fold/thread-processor/reader.ts'
import type { Json } from '../../json.ts'
import type { EphemeralTimelineItems, ProcessedThreadItems, TextItem } from './timeline.ts'

/** How much older a stored thought is than what follows it in its message, in ms. */
const STORED_OFFSET = 10

type StoredItem = ProcessedThreadItems[number]

/** The items of stored events: the id and the time of each are those of its event. */
export function createStoredItemsOf(eventOf: EventOf): ItemsOf<StoredItem> {
  return (chatEvent, claimed) => {
    const { id, runId, segments } = chatEvent
    const event = eventOf(id.slice(runId.length + 1))
    const row = event === undefined ? undefined : rows[event.type]
    if (row !== undefined) return row(event as never, chatEvent, claimed)
    return segments.flatMap((segment) => (segment.type === 'tool' ? toolItems(segment, event, eventOf) : []))
  }
}

/** The items of a message that is being written. What neither the agent nor a thought wrote is left as it is. */
export function createEphemeralItemsOf(): ItemsOf<EphemeralTimelineItems[number]> {
  return ({ role, startedAt, segments }, claimed) => {
    const [first] = segments
    const isThought = first?.type === 'reasoning' && first.variant !== 'think-tag'
    const messageType = isThought ? 'thinking' : role
    const ephemeral = (content: string, time: number) =>
      ({ type: 'ephemeral_message', messageType, content, timestamp: new Date(time) }) as const
    if (isThought) return [ephemeral(first.text, startedAt)]
    const { thoughts, text } = partsOf(segments)
    if (role !== 'assistant') return [ephemeral(text, startedAt)]
    const items = thoughts.map(({ id, content }, index) => ({
      segmentId: id,
      item: thinking(content, startedAt + index, `${startedAt}_thinking_${index}`),
    }))
    const shown = items.filter(({ segmentId }) => !claimed.has(segmentId)).map(({ item }) => item)
    return text.trim() === '' ? shown : [...shown, ephemeral(text.trim(), startedAt + thoughts.length)]
  }
}

type Row<Type extends ThreadEventType> = (
  event: ThreadEventOf<Type>,
  chatEvent: ChatEvent,
  claimed: ReadonlySet<string>,
) => readonly StoredItem[]

function textRow<Type extends 'user_message' | 'system_message' | 'thinking'>(type: Type) {
  return ({ id, timestamp }: ThreadEvent, { segments }: ChatEvent): readonly StoredItem[] => {
    const content = segments.map((segment) => ('text' in segment ? segment.text : '')).join('')
    return [{ type, content, timestamp: dateOf(timestamp), id } as StoredItem]
  }
}

/** A call has no row: its segment may be of any event. */
const rows: { readonly [Type in ThreadEventType]: Row<Type> | undefined } = {
  USER_MESSAGE: textRow('user_message'),
  LOCAL_SYSTEM_MESSAGE: textRow('system_message'),
  SYSTEM_PROMPT: textRow('system_message'),
  USER_SYSTEM_PROMPT: textRow('system_message'),
  THINKING: textRow('thinking'),
  AGENT_MESSAGE({ id, timestamp }, { segments }, claimed) {
    const { thoughts, text } = partsOf(segments)
    const time = Number(timestamp)
    const shown = thoughts.flatMap((thought, index) => {
      const before = (thoughts.length - index) * STORED_OFFSET
      return claimed.has(thought.id) ? [] : [thinking(thought.content, time - before, `${id}_thinking_${index}`)]
    })
    const content = text.trim()
    return content === '' ? shown : [...shown, { type: 'agent_message', content, timestamp: dateOf(timestamp), id }]
  },
  TOOL_CALL: undefined,
  TOOL_RESULT: undefined,
}

/** The thoughts of a message that are not blank, and its text without them. */
function partsOf(segments: ChatEvent['segments']) {
  return {
    thoughts: segments.flatMap((segment) => {
      const content = segment.type === 'reasoning' ? segment.text.trim() : ''
      return segment.type === 'reasoning' && content !== '' ? [{ id: segment.id, content }] : []
    }),
    text: segments.map((segment) => (segment.type === 'text' ? segment.text : '')).join(''),
  }
}

function thinking(content: string, time: number, id: string): TextItem<'thinking'> {
  return { type: 'thinking', content, timestamp: new Date(time), id }
}

/** The call of an event with its result, or a result without a call as a notice: both with the data that is stored. */
function toolItems(segment: ToolSegment, event: ThreadEvent | undefined, eventOf: EventOf): readonly StoredItem[] {
  const { callId, output = null, meta } = segment
  const resultEvent = eventOf(String(meta?.thread?.resultId))
  if (event?.type === 'TOOL_CALL') {
    const result = resultEvent?.type === 'TOOL_RESULT' ? { result: resultEvent.data } : {}
    return [{ type: 'tool_execution', call: event.data, ...result, timestamp: dateOf(event.timestamp), callId }]
  }
  if (resultEvent === undefined) return []
  const content = `Tool result (orphaned): ${textOf(output)}`
  return [{ type: 'system_message', content, timestamp: dateOf(resultEvent.timestamp), id: resultEvent.id }]
}

const textOf = (output: Json) => (typeof output === 'string' ? output : JSON.stringify(output))

const dateOf = (timestamp: Date | number) => (typeof timestamp === 'number' ? new Date(timestamp) : timestamp)
