import { remember, rememberOne } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type SplitMetadata, scopeOf, splitMetadata, textField } from './metadata.ts'
import { preliminaryEvents } from './preliminary-output.ts'
import type { CallFields } from './raw.ts'

/** What Millrace says of a call beside its input and output. */
const MARK_KEYS: ReadonlySet<string> = new Set([
  'runBy',
  'server',
  'parentCallId',
  'agentId',
  'status',
  'output',
  'error',
])

interface OpenCall {
  readonly agentId: string | undefined
  /** Whether Millrace tells of the call: it says itself when it is over. */
  readonly isFromMillrace: boolean
  hasInput: boolean
  /** Why its input was refused: such a call is over, unless an output comes all the same. */
  refusal: string | undefined
  lastPreliminary: Json | undefined
}

export interface Calls {
  start(raw: CallFields): StreamEvent[]
  add(callId: string, text: string | undefined): StreamEvent[]
  input(raw: CallFields, input: InputFields): StreamEvent[]
  preliminary(raw: CallFields, output: Json): StreamEvent[]
  /** Makes sure of a call of an earlier response, which a result tells of whole. */
  recall(raw: CallFields & { readonly input?: Json }): StreamEvent[]
  /** No more of a call's input will come: what was streamed of it is all. */
  complete(callId: string): StreamEvent[]
  output(raw: CallFields, output: OutputFields): StreamEvent[]
  /** The outputs of calls that nothing came of because their input was refused. */
  failRefused(): StreamEvent[]
  /** Whether a call is still without an output that somebody outside must give. */
  isAwaiting(): boolean
}

type InputFields = Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error'>
type OutputFields = Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>

export function createCalls(): Calls {
  const calls = new Map<string, OpenCall>()
  const finished = new Set<string>()

  function open(callId: string, raw: CallFields, split: SplitMetadata): StreamEvent[] {
    if (calls.has(callId)) return []
    const { toolName, name = toolName ?? 'unknown', title, toolMetadata } = raw
    const { agentId, meta } = scopeOf(split)
    remember(calls, callId, {
      agentId,
      isFromMillrace: split.marks.runBy !== undefined,
      hasInput: false,
      refusal: undefined,
      lastPreliminary: undefined,
    })
    const startMeta = toolMetadata ? { ...meta, 'ai-sdk': { toolMetadata } } : meta
    return [
      {
        type: 'tool-start',
        callId,
        name,
        runBy: runByOf(raw, split),
        ...(agentId !== undefined && { agentId }),
        ...(typeof title === 'string' && { title }),
        ...serverOf(split),
        ...textField(split.marks, 'parentCallId'),
        ...(startMeta !== undefined && { meta: startMeta }),
      },
    ]
  }

  const agentOf = (callId: string) => {
    const agentId = calls.get(callId)?.agentId
    return agentId === undefined ? {} : { agentId }
  }

  function complete(callId: string): StreamEvent[] {
    const call = calls.get(callId)
    if (call === undefined || call.hasInput) return []
    call.hasInput = true
    return [{ type: 'tool-input', callId, ...agentOf(callId) }]
  }

  function input(raw: CallFields, inputFields: InputFields): StreamEvent[] {
    const callId = idOf(raw)
    const split = splitMetadata(raw.providerMetadata, MARK_KEYS)
    const events = open(callId, raw, split)
    const call = calls.get(callId)
    if (call === undefined || call.hasInput) return events
    call.hasInput = true
    if (!call.isFromMillrace) call.refusal = inputFields.error
    const { meta } = split
    return [
      ...events,
      { type: 'tool-input', callId, ...agentOf(callId), ...inputFields, ...(meta !== undefined && { meta }) },
    ]
  }

  return {
    complete,
    recall(raw) {
      const callId = idOf(raw)
      if (calls.has(callId) || finished.has(callId) || typeof raw.toolName !== 'string') return []
      const { providerMetadata: _later, ...call } = raw
      return input(call, parsedInput(raw.input, false))
    },
    start(raw) {
      const callId = idOf(raw)
      if (typeof (raw.toolName ?? raw.name) !== 'string') throw new TypeError('A call has no name.')
      return open(callId, raw, splitMetadata(raw.providerMetadata, MARK_KEYS))
    },
    add(callId, text) {
      if (typeof text !== 'string') throw new TypeError('A delta has no text.')
      return [{ type: 'tool-input-delta', callId, text }]
    },
    input,
    preliminary(raw, output) {
      const callId = idOf(raw)
      const call = calls.get(callId)
      const events = preliminaryEvents(callId, output, call?.lastPreliminary)
      if (call !== undefined) call.lastPreliminary = output
      return [...complete(callId), ...events.map((event) => ({ ...event, ...agentOf(callId) }))]
    },
    output(raw, outputFields) {
      const callId = idOf(raw)
      const split = splitMetadata(raw.providerMetadata, MARK_KEYS)
      const agent = agentOf(callId)
      calls.delete(callId)
      rememberOne(finished, callId)
      const { meta } = split
      return [
        {
          type: 'tool-output',
          callId,
          ...agent,
          ...markedOutput(outputFields, split),
          ...(meta !== undefined && { meta }),
        },
      ]
    },
    isAwaiting: () => [...calls.values()].some(({ refusal }) => refusal === undefined),
    failRefused: () =>
      [...calls].flatMap(([callId, { refusal: error, agentId }]) => {
        if (error === undefined) return []
        calls.delete(callId)
        const agent = agentId === undefined ? {} : { agentId }
        return [{ type: 'tool-output', callId, ...agent, status: 'error', output: error, error }]
      }),
  }
}

export function idOf({ toolCallId, id }: { readonly toolCallId?: string; readonly id?: string }): string {
  const callId = toolCallId ?? id
  if (typeof callId !== 'string') throw new TypeError('A call has no id.')
  return callId
}

/** An input as JSON, or as the text that a provider gives for it. */
export function parsedInput(input: Json | undefined, isText: boolean): InputFields {
  return typeof input === 'string' && isText ? inputOf(input) : { input: input ?? {} }
}

/** An input that was refused, as far as it is known. */
export function refusedInput(input: Json | undefined, error: string): InputFields {
  if (input === undefined || input === null) return { text: '', error }
  return typeof input === 'string' ? { text: input, error } : { input, error }
}

function runByOf({ providerExecuted }: CallFields, { marks }: SplitMetadata): RunBy {
  if (marks.runBy === 'agent' || marks.runBy === 'provider' || marks.runBy === 'client') return marks.runBy
  return providerExecuted === true ? 'provider' : 'agent'
}

/** The server that has the tool: ours to say, or the provider's that calls it. */
function serverOf({ marks, meta = {} }: SplitMetadata): { readonly server?: string } {
  if (typeof marks.server === 'string') return { server: marks.server }
  const values = Object.values(meta).find(
    (providerFields) => isJsonObject(providerFields) && typeof providerFields.serverName === 'string',
  )
  return values === undefined ? {} : { server: values.serverName as string }
}

/** Where the wire keeps one sentence of a failure, the whole of it stands beside. */
function markedOutput(outputFields: OutputFields, { marks }: SplitMetadata): OutputFields {
  if (marks.status === 'cancelled') {
    const { error } = outputFields
    const errorField = error === undefined || error === 'Cancelled' ? {} : { error }
    return { status: 'cancelled', output: marks.output ?? errorField.error ?? null, ...errorField }
  }
  const output = marks.output === undefined ? outputFields : { ...outputFields, output: marks.output }
  return outputFields.status === 'denied' ? { ...output, ...textField(marks, 'error') } : output
}
