import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { ApprovalState, Common } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { countsOf, type Spellings, usageEvents } from '../kit/counts.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { unmapped } from '../parser.ts'
import type { Calls } from './calls.ts'
import { extraFields, originOf, scopeOf, sentAtOf, textOrJson } from './fields.ts'
import type { Base, Interrupt, Outcome, RawOf, Resumption, Usage } from './raw.ts'
import type { Seen } from './seen.ts'

/** The runs of one stream, one after another, and the questions between them. */
export interface Runs {
  start(out: Out, raw: RawOf<'RUN_STARTED'>): void
  finish(out: Out, raw: RawOf<'RUN_FINISHED'>): void
  fail(out: Out, raw: RawOf<'RUN_ERROR'>): void
  /** A question in the middle of a run, as LangGraph's bridge sends it. */
  ask(out: Out, value: Json, raw: Base): void
  /** The end of the last run, unless another has begun since. */
  endEvents(): readonly StreamEvent[]
}

export function createRuns(calls: Calls, seen: Seen): Runs {
  const openQuestions = new Set<string>()
  let questionCount = 0
  let end: EventOf<'run-end'> | undefined

  function addQuestion(out: Out, interrupt: Interrupt, scope: Common): void {
    const { id, toolCallId: callId, message, ...request } = interrupt
    const approvalId = typeof id === 'string' ? id : `interrupt-${++questionCount}`
    rememberOne(openQuestions, approvalId)
    // The input of a call that needs an approval has ended.
    if (callId !== undefined && seen.calls.has(callId)) calls.end(out, callId, {})
    const fields = present({ callId, message: message ?? questionText(request) })
    const more = isEmpty(request) ? {} : { request }
    out.push({ ...scope, type: 'approval', approvalId, state: 'requested', ...fields, ...more })
  }

  /** The protocol requires an answer to every question before the next run; without one it counts as answered. */
  function addAnswers(out: Out, resume: readonly Resumption[], raw: Base): void {
    const resumptions = new Map(resume.map((resumption) => [resumption.interruptId, resumption]))
    for (const approvalId of new Set([...openQuestions, ...resumptions.keys()])) {
      const { status, payload } = resumptions.get(approvalId) ?? {}
      const state = stateOf(status, payload)
      out.push({ ...sentAtOf(raw), type: 'approval', approvalId, state, ...present({ answer: payload }) })
    }
    openQuestions.clear()
  }

  /** What every end of a run may have. */
  function addRest(out: Out, raw: Base & Usage): void {
    for (const usage of raw.usage ?? []) addUsage(out, usage, {})
    addMetadata(out, extraFields(raw))
  }

  return {
    start(out, raw) {
      const { threadId, runId, parentRunId, protocolVersion, model, input } = raw
      const { resume, ...inputFields } = input ?? {}
      // The end of an earlier run is not the end of the stream.
      if (end?.error !== undefined) out.push({ type: 'status', message: end.error.message, level: 'error' })
      addMetadata(out, present({ result: end?.result }))
      out.push({ ...originOf(raw), type: 'run-start', ...present({ model }) })
      addMetadata(out, { ...extraFields(raw), ...present({ threadId, runId, parentRunId, protocolVersion }) })
      addAnswers(out, resume ?? [], raw)
      if (!isEmpty(inputFields))
        out.push({ type: 'state', channel: 'input', op: 'snapshot', value: inputFields as JsonObject })
      calls.unanswered.clear()
      end = undefined
    },
    finish(out, raw) {
      const { outcome, interrupt } = raw
      const ended: Outcome = typeof outcome === 'string' ? { type: outcome } : (outcome ?? {})
      const result = present({ result: raw.result })
      addRest(out, raw)
      for (const item of ended.interrupts ?? [interrupt ?? []].flat()) addQuestion(out, item, originOf(raw))
      if (outcome !== undefined && typeof outcome !== 'string' && !isJsonObject(outcome)) out.push(...unmapped(raw))
      // Some servers also finish a run that has failed.
      if (end?.outcome === 'error') addMetadata(out, result)
      else end = { ...sentAtOf(raw), type: 'run-end', outcome: outcomeOf(ended, calls.unanswered.size > 0), ...result }
    },
    fail(out, raw) {
      const { error } = raw
      const before = end?.error
      const message: unknown = raw.message ?? (isJsonObject(error) ? error.message : error)
      const code = (raw.code ?? objectIn(error).code)?.toString()
      const runError = { message: textIn(message) ?? 'The run failed.', ...present({ code }) }
      end = { ...sentAtOf(raw), type: 'run-end', outcome: 'error', error: runError }
      if (before !== undefined && before.message !== runError.message)
        out.push({ type: 'status', message: before.message, level: 'error' })
      addRest(out, raw)
      if (typeof message !== 'string' && (message ?? error ?? undefined) !== undefined) out.push(...unmapped(raw))
    },
    ask(out, value, raw) {
      const request = parseIfJson(value)
      const interrupt = isJsonObject(request) ? request : { message: textOrJson(request), value: request }
      addQuestion(out, interrupt, scopeOf(raw))
    },
    endEvents: () => (end === undefined ? [] : [end]),
  }
}

/** Usage as the end of a run has it per model, or as a record of older servers, in any spelling. */
const SPELLINGS: Spellings = {
  inputTokens: ['input_tokens', 'inputTokens', 'prompt_tokens', 'promptTokens'],
  outputTokens: ['output_tokens', 'outputTokens', 'completion_tokens', 'completionTokens'],
  reasoningTokens: ['reasoning_tokens', 'reasoningTokens'],
  cacheReadTokens: ['cached_input_tokens', 'cachedInputTokens', 'cache_read_tokens', 'cacheReadTokens'],
  cacheWriteTokens: ['cache_write_input_tokens', 'cacheWriteInputTokens', 'cache_write_tokens'],
}

/** The runs of one stream add up. */
export function addUsage(out: Out, raw: object, scope: Common): void {
  const model = textIn((raw as JsonObject).model)
  out.push(...usageEvents(countsOf(raw, SPELLINGS), { scope: 'run', mode: 'add', model, ...scope }))
}

/** A question that is open awaits an answer in any case. */
function outcomeOf(
  { type, pendingToolCallIds = [] }: Outcome,
  hasUnansweredCalls: boolean,
): EventOf<'run-end'>['outcome'] {
  if (type === 'cancelled') return 'cancelled'
  const isPending = type === undefined ? hasUnansweredCalls : pendingToolCallIds.length > 0
  return isPending || type === 'interrupt' ? 'awaiting-input' : 'success'
}

function stateOf(status: string | undefined, payload: Json | undefined): ApprovalState {
  if (status === 'cancelled') return 'denied'
  const verdict = isJsonObject(payload) ? payload.approved : payload
  if (typeof verdict !== 'boolean') return 'answered'
  return verdict ? 'approved' : 'denied'
}

function addMetadata(out: Out, metadata: JsonObject): void {
  if (!isEmpty(metadata)) out.push({ type: 'metadata', metadata })
}

function questionText({ question, reason, value }: JsonObject): string | undefined {
  return [question, reason, value].find((text) => typeof text === 'string')
}

function parseIfJson(value: Json): Json {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}
