import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, objectsIn } from '../kit/fields.ts'
import { keep } from '../kit/keep.ts'
import { resultFiles } from '../kit/result-files.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import { firstField, type SplitMetadata, scopeOf, splitMetadata, textFields } from './metadata.ts'
import type { ApprovalFields, CallFields } from './raw.ts'

/** The marks of Millrace on a call, and on the answer to a question. */
const MARK_KEYS = namesIn('runBy server parentCallId agentId status output error question')
const ANSWER_KEYS = namesIn('approval answer reason remember input runBy server parentCallId agentId question')

interface OpenCall {
  readonly name: string
  readonly agent: { readonly agentId?: string }
  /** Whether Millrace wrote the call: then its end is always in the stream. */
  readonly isFromMillrace: boolean
  hasInput?: true
  /** Why its input was refused: such a call has ended, unless an output still comes. */
  refusal?: string | undefined
  lastPreliminary?: Json
}

type InputFields = Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error'>
type OutputFields = Pick<EventOf<'tool-output'>, 'status' | 'output' | 'error'>

export function createCalls() {
  const calls = new Map<string, OpenCall>()
  const finished = new Set<string>()
  /** The calls that stand for questions about no call, by their ids, with what an answer says of its agent. */
  const questions = new Map<string, { readonly agentId?: string }>()

  function open(out: Out, callId: string, raw: CallFields, split: SplitMetadata): OpenCall {
    const existing = calls.get(callId)
    if (existing !== undefined) return existing
    const { toolMetadata, name = raw.toolName } = raw
    const { meta, ...agent } = scopeOf(split)
    const call = { name: name ?? 'unknown', agent, isFromMillrace: split.marks.runBy !== undefined }
    out.push({
      type: 'tool-start',
      callId,
      name: call.name,
      runBy: runByOf(raw, split),
      ...textFields(raw, 'title'),
      ...present({ server: firstField(split, 'serverName') }),
      ...textFields(split.marks, 'server', 'parentCallId'),
      ...agent,
      ...present({ meta: toolMetadata ? { ...meta, 'ai-sdk': { toolMetadata } } : meta }),
    })
    return remember(calls, callId, call)
  }

  /** Ends the input of a call with what was streamed of it. */
  function complete(out: Out, callId: string): void {
    const call = calls.get(callId)
    if (call === undefined || call.hasInput) return
    call.hasInput = true
    out.push({ type: 'tool-input', callId, ...call.agent })
  }

  /** Returns false if the call has its input already. */
  function input(out: Out, raw: CallFields, inputFields: InputFields): boolean {
    const callId = idOf(raw)
    const split = splitMetadata(raw.providerMetadata, MARK_KEYS)
    if (split.marks.question === true) {
      remember(questions, callId, scopeOf(split))
      return true
    }
    const call = open(out, callId, raw, split)
    if (call.hasInput) return false
    call.hasInput = true
    if (!call.isFromMillrace) call.refusal = inputFields.error
    out.push({ type: 'tool-input', callId, ...call.agent, ...inputFields, ...present({ meta: split.meta }) })
    return true
  }

  return {
    input,
    /** Starts a call of an earlier response, which a result repeats, unless it exists. */
    recall(out: Out, raw: CallFields): void {
      const callId = idOf(raw)
      if (calls.has(callId) || finished.has(callId) || typeof raw.toolName !== 'string') return
      input(out, { ...raw, providerMetadata: null }, parsedInput(raw.input, false))
    },
    start(out: Out, raw: CallFields): void {
      const callId = idOf(raw)
      if (typeof (raw.toolName ?? raw.name) !== 'string') throw new TypeError('A call has no name.')
      const split = splitMetadata(raw.providerMetadata, MARK_KEYS)
      if (split.marks.question !== true) open(out, callId, raw, split)
    },
    add(out: Out, raw: CallFields): void {
      const text = raw.inputTextDelta ?? raw.delta
      if (typeof text !== 'string') throw new TypeError('A delta has no text.')
      out.push({ type: 'tool-input-delta', callId: idOf(raw), text })
    },
    preliminary(out: Out, raw: CallFields, output: Json): void {
      const callId = idOf(raw)
      const call = calls.get(callId)
      complete(out, callId)
      pushPreliminary(out, { type: 'tool-progress', callId, ...call?.agent }, output, call?.lastPreliminary)
      if (call !== undefined) call.lastPreliminary = output
    },
    output(out: Out, raw: CallFields, outputFields: OutputFields): void {
      const callId = idOf(raw)
      // The answer has been read already.
      if (questions.delete(callId)) return
      const split = splitMetadata(raw.providerMetadata, MARK_KEYS)
      const call = calls.get(callId)
      calls.delete(callId)
      rememberOne(finished, callId)
      const marked = markedOutput(outputFields, split)
      out.push({ type: 'tool-output', callId, ...call?.agent, ...marked, ...present({ meta: split.meta }) })
      // A stream that Millrace wrote holds the files as parts of their own.
      if (!call?.isFromMillrace) out.push(...resultFiles(contentIn(marked.output, call?.name), callId, call?.agent))
    },
    request(out: Out, raw: ApprovalFields): void {
      const { approvalId, toolCall, reason, approvalDescriptor, inputSchemaInput, isAutomatic, signature } = raw
      const id = raw.toolCallId ?? toolCall?.toolCallId
      const question = typeof id === 'string' ? questions.get(id) : undefined
      const callId = question === undefined ? id : undefined
      if (typeof approvalId !== 'string') throw new TypeError('An approval has no id.')
      if (toolCall?.toolName) input(out, toolCall, { input: toolCall.input ?? {} })
      if (typeof callId === 'string') complete(out, callId)
      out.push({
        type: 'approval',
        approvalId,
        state: 'requested',
        ...present({ callId, message: reason, request: approvalDescriptor }),
        ...question,
        ...keep('ai-sdk', { inputSchemaInput, isAutomatic: isAutomatic || undefined, signature }),
      })
    },
    respond(out: Out, raw: ApprovalFields): void {
      const { approvalId, approved, reason, toolCall } = raw
      if (typeof approvalId !== 'string') throw new TypeError('An approval has no id.')
      const split = splitMetadata(raw.providerMetadata, ANSWER_KEYS)
      const { approval } = split.marks
      const state =
        approval === 'answered' || approval === 'expired' ? approval : approved === true ? 'approved' : 'denied'
      const fields = present({ callId: toolCall?.toolCallId, message: reason, meta: split.meta })
      const agent = split.marks.question === true ? textFields(split.marks, 'agentId') : {}
      out.push({ type: 'approval', approvalId, state, ...fields, ...agent, ...answerFields(split.marks) })
    },
    /** Whether a call has no output and needs one from outside. */
    isAwaiting: () => [...calls.values()].some(({ refusal }) => refusal === undefined),
    /** Failed outputs for the calls whose input was refused. */
    failRefused(out: Out): void {
      for (const [callId, { refusal: error, agent }] of calls) {
        if (error === undefined) continue
        calls.delete(callId)
        out.push({ type: 'tool-output', callId, ...agent, status: 'error', output: error, error })
      }
    },
  }
}

/** What Millrace adds to an answer. */
function answerFields({ answer, input, ...marks }: SplitMetadata['marks']) {
  return {
    ...(answer !== undefined && { answer }),
    ...textFields(marks, 'reason'),
    ...(marks.remember === 'session' && { remember: 'session' as const }),
    ...(input !== undefined && { input }),
  }
}

function idOf({ toolCallId, id }: CallFields): string {
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

/** The wire holds one sentence of a failure; its marks hold the whole output. */
function markedOutput(outputFields: OutputFields, { marks }: SplitMetadata): OutputFields {
  if (marks.status === 'cancelled') {
    const { error } = outputFields
    const errorField = error === undefined || error === 'Cancelled' ? {} : { error }
    return { status: 'cancelled', output: marks.output ?? errorField.error ?? null, ...errorField }
  }
  if (marks.status === 'denied') {
    return { status: 'denied', output: marks.output ?? null, ...textFields(marks, 'error') }
  }
  const output = marks.output === undefined ? outputFields : { ...outputFields, output: marks.output }
  return outputFields.status === 'denied' ? { ...output, ...textFields(marks, 'error') } : output
}

/** The content of an output that may hold files, in the form of MCP: its own, the SDK's, or an image that was drawn. */
function contentIn(output: Json, name: string | undefined): unknown {
  const { content = output, type, value, result } = objectIn(output)
  if (name === 'image_generation') return [{ type: 'image', data: result, mimeType: 'image/png' }]
  if (type !== 'content') return content
  return objectsIn(value).map(({ data, mediaType }) => ({ type: 'image', data, mimeType: mediaType }))
}

type ProgressBase = Pick<EventOf<'tool-progress'>, 'type' | 'callId' | 'agentId'>

const TEXT_CHANNELS = namesIn('stdout stderr text')

/**
 * Adds what a preliminary output adds to the one before it: each repeats the one before. Added text is text progress,
 * any other change is data.
 */
function pushPreliminary(out: Out, base: ProgressBase, output: Json, before: Json | undefined): void {
  if (typeof output === 'string') pushText(out, base, 'text', output, before)
  else if (!isJsonObject(output) || !Object.entries(output).every(isChannel))
    out.push({ ...base, channel: 'data', data: output })
  else {
    const last = objectIn(before)
    for (const [channel, value] of Object.entries(output)) {
      if (typeof value === 'string' && channel !== 'data') pushText(out, base, channel, value, last[channel])
      else if (JSON.stringify(value) === JSON.stringify(last[channel])) continue
      else if (channel === 'percent') out.push({ ...base, channel: 'data', percent: value as number })
      else out.push({ ...base, channel: 'data', data: value })
    }
  }
}

/** The shape in which Millrace writes progress: a field per channel. */
function isChannel([name, value]: [string, Json]): boolean {
  if (name === 'percent') return typeof value === 'number'
  return name === 'data' || (TEXT_CHANNELS.has(name) && typeof value === 'string')
}

function pushText(out: Out, base: ProgressBase, channel: string, text: string, before: Json | undefined): void {
  const isMore = typeof before === 'string' && text.startsWith(before)
  const more = isMore ? text.slice(before.length) : text
  if (more !== '') out.push({ ...base, channel: channel as 'text', text: more })
}
