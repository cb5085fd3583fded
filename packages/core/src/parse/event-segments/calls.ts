import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { BuiltInSegment, CallSegment, ResultSegment } from './raw.ts'

/** The state of a call. Each part of it is emitted once, from whichever form has it first. */
interface CallState {
  hasInput: boolean
  hasOutput: boolean
  status: string | undefined
  /** The streamed code, for a tool that the provider runs. */
  code: string
}

export interface Calls {
  start(call: Start): StreamEvent[]
  inputDelta(id: string, text: string): StreamEvent[]
  /** The arguments, as a value or as JSON text. */
  input(id: string, args: Json | undefined): StreamEvent[]
  output(result: ResultSegment): StreamEvent[]
  /** A call. Empty arguments are not its input yet. */
  segment(segment: CallSegment): StreamEvent[]
  builtIn(segment: BuiltInSegment): StreamEvent[]
  codeDelta(segment: BuiltInSegment, text: string): StreamEvent[]
  has(id: string): boolean
  isAnswered(id: string): boolean
}

export interface Start {
  readonly id: string
  readonly name?: string | null | undefined
  readonly server?: string | null | undefined
  readonly title?: string | null | undefined
  readonly sentAt?: number | null | undefined
  readonly runBy?: EventOf<'tool-start'>['runBy']
}

/** The outcome of a built-in tool by its status. Any other status is progress. */
const ENDINGS: { readonly [status: string]: 'ok' | 'error' } = { completed: 'ok', failed: 'error' }

export function createCalls(): Calls {
  const calls = new Map<string, CallState>()

  function start({ id, name, server, title, sentAt, runBy = 'agent' }: Start): StreamEvent[] {
    if (typeof id !== 'string') throw new TypeError('The call has no id.')
    if (calls.has(id)) return []
    remember(calls, id, { hasInput: false, hasOutput: false, status: undefined, code: '' })
    const shownTitle = title === name ? undefined : title
    return [
      {
        type: 'tool-start',
        callId: id,
        name: name ?? 'unknown',
        runBy,
        ...present({ server, title: shownTitle, sentAt }),
      },
    ]
  }

  function ensureCall(id: string): [CallState, StreamEvent[]] {
    const events = start({ id })
    return [calls.get(id) as CallState, events]
  }

  function addInput(id: string, input: Omit<EventOf<'tool-input'>, 'type' | 'callId'>): StreamEvent[] {
    const [call, events] = ensureCall(id)
    if (call.hasInput || call.hasOutput) return events
    call.hasInput = true
    return [...events, { type: 'tool-input', callId: id, ...input }]
  }

  function addOutput({ id, output, error, completed_at: sentAt }: Omit<ResultSegment, 'type'>): StreamEvent[] {
    const [call, events] = ensureCall(id)
    if (call.hasOutput) return events
    call.hasOutput = true
    const failure = typeof error === 'string' && error !== '' ? error : undefined
    return [
      ...events,
      {
        type: 'tool-output',
        callId: id,
        status: failure === undefined ? 'ok' : 'error',
        output: output ?? failure ?? null,
        ...present({ error: failure, sentAt }),
      },
    ]
  }

  function startBuiltIn({ id, type, started_at: sentAt }: BuiltInSegment): [CallState, StreamEvent[]] {
    const events = start({ id, name: type.slice(0, -'_call'.length), sentAt, runBy: 'provider' })
    return [calls.get(id) as CallState, events]
  }

  return {
    start,
    inputDelta(id, text) {
      const [call, events] = ensureCall(id)
      if (call.hasInput || call.hasOutput || text === '') return events
      return [...events, { type: 'tool-input-delta', callId: id, text }]
    },
    input(id, args) {
      if (args === undefined || args === null) return addInput(id, {})
      return addInput(id, typeof args === 'string' ? inputOf(args) : { input: args })
    },
    output: addOutput,
    segment({ id, name, args, server_label: server, display_name: title, started_at: sentAt, ...result }) {
      const events = start({ id, name, server, title, sentAt })
      const isResult = present(result).output !== undefined || present(result).error !== undefined
      const input = hasContent(args) ? addInput(id, typeof args === 'string' ? inputOf(args) : { input: args }) : []
      return [...events, ...input, ...(isResult ? addOutput({ id, ...result }) : [])]
    },
    builtIn(segment) {
      const { id, status, code, completed_at: sentAt } = segment
      const [call, events] = startBuiltIn(segment)
      const codeText = code || (ENDINGS[status ?? ''] && call.code)
      const args = codeText ? { code: codeText } : segment.args
      const input = hasContent(args) ? addInput(id, { input: args }) : []
      if (!status || status === call.status || call.hasOutput) return [...events, ...input]
      call.status = status
      if (status === 'in_progress') return [...events, ...input]
      const ending = ENDINGS[status]
      if (ending === undefined) {
        return [...events, ...input, { type: 'tool-progress', callId: id, channel: 'data', data: { status } }]
      }
      const error = ending === 'error' ? `${segment.type} failed` : undefined
      return [...events, ...input, ...addOutput({ id, output: null, ...present({ error, completed_at: sentAt }) })]
    },
    codeDelta(segment, text) {
      const [call, events] = startBuiltIn(segment)
      if (call.hasInput || text === '') return events
      call.code += text
      return [...events, { type: 'tool-input-delta', callId: segment.id, text }]
    },
    has: (id) => calls.has(id),
    isAnswered: (id) => calls.get(id)?.hasOutput === true,
  }
}

function hasContent(args: Json | undefined): args is Json {
  if (args === undefined || args === null || args === '') return false
  return typeof args !== 'object' || Object.keys(args).length > 0
}
