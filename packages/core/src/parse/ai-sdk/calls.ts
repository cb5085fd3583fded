import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type SplitMetadata, scopeOf, splitMetadata, textField } from './metadata.ts'
import { preliminaryEvents } from './preliminary-output.ts'
import type { CallFields } from './raw.ts'

/** The marks of Millrace on a call. */
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
  /** Whether Millrace wrote the call: then its end is always in the stream. */
  readonly isFromMillrace: boolean
  hasInput?: true
  /** Why its input was refused: such a call has ended, unless an output still comes. */
  refusal?: string | undefined
  lastPreliminary?: Json
}

export interface Calls {
  start(raw: CallFields): StreamEvent[]
  add(callId: string, text: string | undefined): StreamEvent[]
  input(raw: CallFields, input: InputFields): StreamEvent[]
  preliminary(raw: CallFields, output: Json): StreamEvent[]
  /** Starts a call of an earlier response, which a result repeats, unless it exists. */
  recall(raw: CallFields & { readonly input?: Json }): StreamEvent[]
  /** Ends the input of a call with what was streamed of it. */
  complete(callId: string): StreamEvent[]
  output(raw: CallFields, output: OutputFields): StreamEvent[]
  /** Failed outputs for the calls whose input was refused. */
  failRefused(): StreamEvent[]
  /** Whether a call has no output and needs one from outside. */
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
    remember(calls, callId, { agentId, isFromMillrace: split.marks.runBy !== undefined })
    const startMeta = toolMetadata ? { ...meta, 'ai-sdk': { toolMetadata } } : meta
    return [
      {
        type: 'tool-start',
        callId,
        name,
        runBy: runByOf(raw, split),
        ...textField({ title }, 'title'),
        ...serverOf(split),
        ...textField(split.marks, 'parentCallId'),
        ...present({ agentId, meta: startMeta }),
      },
    ]
  }

  const agentOf = (callId: string) => present({ agentId: calls.get(callId)?.agentId })

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
    return [...events, { type: 'tool-input', callId, ...agentOf(callId), ...inputFields, ...present({ meta }) }]
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
          ...present({ meta }),
        },
      ]
    },
    isAwaiting: () => [...calls.values()].some(({ refusal }) => refusal === undefined),
    failRefused: () =>
      [...calls].flatMap(([callId, { refusal: error }]) => {
        if (error === undefined) return []
        const agent = agentOf(callId)
        calls.delete(callId)
        return [{ type: 'tool-output', callId, ...agent, status: 'error', output: error, error }]
      }),
  }
}

export function idOf({ toolCallId, id }: { readonly toolCallId?: string; readonly id?: string }): string {
  const callId = toolCallId ?? id
  if (typeof callId !== 'string') throw new TypeError('A call has no id.')
  return callId
}

/** An input as JSON, or parsed from the text of a provider. */
export function parsedInput(input: Json | undefined, isText: boolean): InputFields {
  return typeof input === 'string' && isText ? inputOf(input) : { input: input ?? {} }
}

/** An input that was refused, or empty text if it is missing. */
export function refusedInput(input: Json | undefined, error: string): InputFields {
  if (input === undefined || input === null) return { text: '', error }
  return typeof input === 'string' ? { text: input, error } : { input, error }
}

function runByOf({ providerExecuted }: CallFields, { marks }: SplitMetadata): RunBy {
  if (marks.runBy === 'agent' || marks.runBy === 'provider' || marks.runBy === 'client') return marks.runBy
  return providerExecuted === true ? 'provider' : 'agent'
}

/** The server of the tool, from the marks of Millrace or the metadata of the provider. */
function serverOf({ marks, meta = {} }: SplitMetadata): { readonly server?: string } {
  if (typeof marks.server === 'string') return { server: marks.server }
  const values = Object.values(meta).find(
    (providerFields) => isJsonObject(providerFields) && typeof providerFields.serverName === 'string',
  )
  return values === undefined ? {} : { server: values.serverName as string }
}

/** The wire holds one sentence of a failure; its marks hold the whole output. */
function markedOutput(outputFields: OutputFields, { marks }: SplitMetadata): OutputFields {
  if (marks.status === 'cancelled') {
    const { error } = outputFields
    const errorField = error === undefined || error === 'Cancelled' ? {} : { error }
    return { status: 'cancelled', output: marks.output ?? errorField.error ?? null, ...errorField }
  }
  const output = marks.output === undefined ? outputFields : { ...outputFields, output: marks.output }
  return outputFields.status === 'denied' ? { ...output, ...textField(marks, 'error') } : output
}
