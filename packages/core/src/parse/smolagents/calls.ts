import { inputOf } from '../../data/tool-input.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { agentFile } from './files.ts'
import type { Call, CallDelta, ToolOutput } from './raw.ts'

/** A call of the step that is open. */
interface OpenCall {
  readonly callId: string
  readonly name: string
  /** The code or the arguments; undefined while they stream. */
  input: Json | undefined
  output: Json | undefined
}

/** The calls of one step. Ids are those of the stream; a call without one is identified by its position. */
export interface Calls {
  addDelta(delta: CallDelta): StreamEvent[]
  add(call: Call): StreamEvent[]
  addOutput(output: ToolOutput): StreamEvent[]
  /** Answers the open calls of a finished step. Reports whether a call shows the error. */
  settle(observations: string | undefined, error: string | undefined): Settled
  /** Whether a call has this value as its input or output. */
  holds(value: Json | undefined): boolean
  last(): string | undefined
}

export interface Settled {
  readonly events: StreamEvent[]
  readonly isErrorShown: boolean
}

/** Its input is a program, even if it looks like JSON. */
const INTERPRETER = 'python_interpreter'

export function createCalls(stepId: string): Calls {
  const calls: OpenCall[] = []
  const byIndex = new Map<number, OpenCall>()

  function start(id: string | null | undefined, name: string): [OpenCall, StreamEvent[]] {
    const call = { callId: id || `${stepId}:call-${calls.length}`, name, input: undefined, output: undefined }
    calls.push(call)
    return [call, [{ type: 'tool-start', callId: call.callId, name, runBy: 'agent' }]]
  }

  /** By its id; without an id, the first call of this name that still lacks the input or output. */
  function find({ id }: Call, name: string, isLacking: (call: OpenCall) => boolean): OpenCall | undefined {
    return calls.find((call) => (id ? call.callId === id : call.name === name && isLacking(call)))
  }

  function addCall(raw: Call): [OpenCall, StreamEvent[]] {
    const { name, input } = partsOf(raw)
    const existing = find(raw, name, (call) => call.input === undefined)
    if (existing?.input !== undefined) return [existing, []]
    const [call, events] = existing === undefined ? start(raw.id, name) : [existing, []]
    call.input = input
    return [call, [...events, { type: 'tool-input', callId: call.callId, input }]]
  }

  function answer(call: OpenCall, output: Omit<EventOf<'tool-output'>, 'type' | 'callId'>): StreamEvent {
    call.output = output.output
    return { type: 'tool-output', callId: call.callId, ...output }
  }

  return {
    addDelta({ index, id, function: fragment }) {
      const position = index ?? 0
      const text = fragment?.arguments ?? ''
      const existing = byIndex.get(position)
      const [call, events] = existing === undefined ? start(id, fragment?.name ?? 'unknown') : [existing, []]
      byIndex.set(position, call)
      return text === '' ? events : [...events, { type: 'tool-input-delta', callId: call.callId, text }]
    },
    add: (raw) => addCall(raw)[1],
    addOutput(raw) {
      const requested: Call = { ...raw.tool_call, id: raw.id || raw.tool_call?.id || null }
      const name = requested.function?.name ?? requested.name ?? 'unknown'
      const existing = find(requested, name, (call) => call.output === undefined)
      const [call, events] = existing === undefined ? addCall({ name, ...requested }) : [existing, []]
      if (call.output !== undefined) return events
      const file = agentFile(raw.output, `${call.callId}:file`)
      const files = file === undefined ? [] : [{ ...file, callId: call.callId }]
      return [...events, answer(call, { status: 'ok', ...outputOf(raw, file !== undefined) }), ...files]
    },
    settle(observations, error) {
      const open = calls.filter((call) => call.output === undefined)
      if (error !== undefined) return failCalls(open, observations, error, answer)
      const [first, ...others] = open
      if (first === undefined) return { events: [], isErrorShown: false }
      const events = [
        answer(first, { status: 'ok', output: observations ?? null }),
        ...others.map((call) => answer(call, { status: 'ok', output: null })),
      ]
      return { events, isErrorShown: false }
    },
    holds: (value) => calls.some(({ input, output }) => input === value || output === value),
    last: () => calls.at(-1)?.callId,
  }
}

/** The call that an error names has failed; if it names none, all open calls have. The others are cancelled. */
function failCalls(
  open: readonly OpenCall[],
  observations: string | undefined,
  error: string,
  answer: (call: OpenCall, output: Omit<EventOf<'tool-output'>, 'type' | 'callId'>) => StreamEvent,
): Settled {
  const named = open.filter(({ name }) => error.includes(`'${name}'`))
  const failedCalls = new Set(named.length > 0 ? named.slice(0, 1) : open)
  const events = open.map((call) =>
    failedCalls.has(call)
      ? answer(call, { status: 'error', output: observations ?? error, error })
      : answer(call, { status: 'cancelled', output: null }),
  )
  return { events, isErrorShown: open.length > 0 }
}

function partsOf(raw: Call): { readonly name: string; readonly input: Json } {
  const { name = 'unknown', arguments: rawArguments } = raw.function ?? raw
  if (typeof rawArguments !== 'string' || name === INTERPRETER || !rawArguments.trimStart().startsWith('{')) {
    return { name, input: rawArguments ?? {} }
  }
  return { name, input: inputOf(rawArguments).input ?? rawArguments }
}

/** An output that is not JSON appears only as its observation; an observation that differs is kept as meta. */
function outputOf(
  { output, observation }: ToolOutput,
  isFile: boolean,
): { output: Json; meta?: { smolagents: { observation: string } } } {
  const seen = observation ?? undefined
  if (isFile || output === undefined || output === null) return { output: seen ?? null }
  const isSame = seen === undefined || (typeof output === 'string' && output.trim() === seen)
  return { output, ...(!isSame && { meta: { smolagents: { observation: seen } } }) }
}
