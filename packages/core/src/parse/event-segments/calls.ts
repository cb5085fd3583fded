import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { BuiltInSegment, CallSegment } from './raw.ts'

/** The state of a call. Each part of it is emitted once, from whichever form has it first. */
interface CallState {
  hasInput: boolean
  hasOutput: boolean
  status: string | undefined
  /** The streamed code, for a tool that the provider runs. */
  code: string
}

export interface Calls {
  start(out: Out, call: Start): void
  inputDelta(out: Out, id: string, text: string): void
  /** The arguments, as a value or as JSON text. */
  input(out: Out, id: string, args: Json | undefined): void
  output(out: Out, result: Result): void
  /** A call. Empty arguments are not its input yet. */
  segment(out: Out, segment: CallSegment): void
  builtIn(out: Out, segment: BuiltInSegment): void
  codeDelta(out: Out, segment: BuiltInSegment, text: string): void
  has(id: string): boolean
  isAnswered(id: string): boolean
}

interface Start {
  readonly id: string
  readonly name?: string | null | undefined
  readonly server?: string | null | undefined
  readonly title?: string | null | undefined
  readonly sentAt?: number | null | undefined
  readonly runBy?: EventOf<'tool-start'>['runBy']
}

type Result = Pick<CallSegment, 'id' | 'output' | 'error' | 'completed_at'>

/** The outcome of a built-in tool by its status. Any other status is progress. */
const ENDINGS: { readonly [status: string]: 'ok' | 'error' } = { completed: 'ok', failed: 'error' }

export function createCalls(): Calls {
  const calls = new Map<string, CallState>()

  function start(out: Out, { id, name, server, title, sentAt, runBy = 'agent' }: Start): CallState {
    if (typeof id !== 'string') throw new TypeError('The call has no id.')
    const existing = calls.get(id)
    if (existing !== undefined) return existing
    const fields = present({ server, title: title === name ? undefined : title, sentAt })
    out.push({ type: 'tool-start', callId: id, name: name ?? 'unknown', runBy, ...fields })
    return remember(calls, id, { hasInput: false, hasOutput: false, status: undefined, code: '' })
  }

  function addInput(out: Out, id: string, input: Partial<EventOf<'tool-input'>>): void {
    const call = start(out, { id })
    if (call.hasInput || call.hasOutput) return
    call.hasInput = true
    out.push({ ...input, type: 'tool-input', callId: id })
  }

  function addArguments(out: Out, id: string, args: Json): void {
    addInput(out, id, typeof args === 'string' ? inputOf(args) : { input: args })
  }

  function addOutput(out: Out, { id, output, error, completed_at: sentAt }: Result): void {
    const call = start(out, { id })
    if (call.hasOutput) return
    call.hasOutput = true
    const failure = typeof error === 'string' && error !== '' ? error : undefined
    const status = failure === undefined ? 'ok' : 'error'
    const fields = present({ error: failure, sentAt })
    out.push({ type: 'tool-output', callId: id, status, output: output ?? failure ?? null, ...fields })
  }

  function startBuiltIn(out: Out, { id, type, started_at: sentAt }: BuiltInSegment): CallState {
    return start(out, { id, name: type.slice(0, -'_call'.length), sentAt, runBy: 'provider' })
  }

  return {
    start,
    inputDelta(out, id, text) {
      const call = start(out, { id })
      if (!call.hasInput && !call.hasOutput && text !== '') out.push({ type: 'tool-input-delta', callId: id, text })
    },
    input(out, id, args) {
      if (args === undefined || args === null) addInput(out, id, {})
      else addArguments(out, id, args)
    },
    output: addOutput,
    segment(out, { id, name, args, server_label: server, display_name: title, started_at: sentAt, ...result }) {
      start(out, { id, name, server, title, sentAt })
      if (hasContent(args)) addArguments(out, id, args)
      const { output, error } = present(result)
      if (output !== undefined || error !== undefined) addOutput(out, { id, ...result })
    },
    builtIn(out, segment) {
      const { id, status, code } = segment
      const call = startBuiltIn(out, segment)
      const codeText = code || (ENDINGS[status ?? ''] && call.code)
      const args = codeText ? { code: codeText } : segment.args
      if (hasContent(args)) addInput(out, id, { input: args })
      if (!status || status === call.status || call.hasOutput) return
      call.status = status
      const ending = ENDINGS[status]
      const error = ending === 'error' ? `${segment.type} failed` : undefined
      if (ending !== undefined)
        addOutput(out, { id, output: null, ...present({ error, completed_at: segment.completed_at }) })
      else if (status !== 'in_progress')
        out.push({ type: 'tool-progress', callId: id, channel: 'data', data: { status } })
    },
    codeDelta(out, segment, text) {
      const call = startBuiltIn(out, segment)
      if (call.hasInput || text === '') return
      call.code += text
      out.push({ type: 'tool-input-delta', callId: segment.id, text })
    },
    has: (id) => calls.has(id),
    isAnswered: (id) => calls.get(id)?.hasOutput === true,
  }
}

function hasContent(args: Json | undefined): args is Json {
  if (args === undefined || args === null || args === '') return false
  return typeof args !== 'object' || !isEmpty(args)
}
