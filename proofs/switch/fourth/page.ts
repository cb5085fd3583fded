import { type Event, EventBuilder } from '@millrace/core/compat/event-builder'
import type { SwitchServer } from '../program.ts'
import { readSse } from '../sse.ts'

interface Frame {
  readonly type: string
  readonly content?: string
  readonly delta?: string
  readonly summary_index?: number
  readonly sequence_number?: number
  readonly tool_id?: string
  readonly tool_name?: string
  readonly args?: object
  readonly output?: object
  readonly error?: unknown
  readonly event?: Event
  readonly data?: {
    readonly event?: Pick<Event, 'id' | 'role'>
    readonly segment?: { readonly type: string; readonly id: string; readonly output: object; readonly error?: string }
  }
}

/** The page of the fourth system: an adapter from frames to its builder, drafts while an Event streams, then the store. */
export interface Page {
  readonly drafts: ReadonlyMap<string, Event>
  readonly store: ReadonlyMap<string, Event>
  /** The Events that the server has sent whole, each in its last version. */
  readonly sent: ReadonlyMap<string, Event>
  readonly frames: readonly string[]
  isComplete(): boolean
}

/** Opens the stream of a run from its first frame, as the page does when it is loaded, in the middle or at the end. */
export function openPage({ origin, headers }: SwitchServer, runId: string): Page {
  const drafts = new Map<string, Event>()
  const store = new Map<string, Event>()
  const sent = new Map<string, Event>()
  const frames: string[] = []
  const builder = new EventBuilder({
    placeholderEventId: 'placeholder',
    onUpdate: (draft) => drafts.set(draft.id, draft),
    onFinalize: (event) => {
      drafts.delete(event.id)
      store.set(event.id, event)
    },
  })
  const closed = (async () => {
    const url = `${origin}/api/runs/${runId}/stream?wire=event-segments&profile=tools`
    for await (const frame of readSse<Frame>(await fetch(url, { headers }))) {
      frames.push(frame.type)
      if (frame.type === 'message_final' && frame.event?.role === 'assistant') sent.set(frame.event.id, frame.event)
      handlers[frame.type]?.(builder, frame)
    }
  })()
  closed.catch((error: Error) => frames.push(error.message))
  return { drafts, store, sent, frames, isComplete: () => frames.includes('complete') }
}

/** By frame, the call of the builder that the document names. */
const handlers: { readonly [type: string]: (builder: EventBuilder, frame: Frame) => void } = {
  event_start(builder, { data }) {
    if (data?.event?.role === 'assistant') builder.startAssistantEvent(data.event.id)
  },
  token: (builder, { content = '' }) => builder.appendTextDelta(content),
  reasoning_summary_text_delta(builder, { delta: text = '', summary_index = 0, sequence_number = 0 }) {
    builder.upsertReasoningPart({ summary_index, text, is_complete: false, sequence_number })
  },
  tool_start: (builder, { tool_id: id = '', tool_name: name = '' }) => builder.startToolCall({ id, name }),
  tool_finalized: (builder, { tool_id: id = '', args = {} }) => builder.finalizeToolArgs({ id, args }),
  tool_result: (builder, { tool_id: id = '', output, error }) => complete(builder, id, output, error),
  segment(builder, { data }) {
    if (data?.segment?.type === 'tool_result')
      complete(builder, data.segment.id, data.segment.output, data.segment.error)
  },
  message_final: (builder) => builder.finalizeCurrentEvent(),
  complete: (builder) => builder.finalizeCurrentEvent(),
}

function complete(builder: EventBuilder, id: string, output: object | undefined, error: unknown): void {
  builder.completeTool({ id, output, ...(typeof error === 'string' && { error }) })
}
