import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { ApprovalState } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { unmapped } from '../parser.ts'
import type { Calls } from './calls.ts'
import { textOrJson } from './facts.ts'
import { extraFields, scopeOf, sentAtOf } from './fields.ts'
import type { Base, Interrupt, Outcome, Resumption, RunFailed, RunFinished, RunStarted } from './raw.ts'
import { usageEvents } from './usage.ts'

/** The runs of one stream, one after another, and the questions between them. */
export interface Runs {
  start(raw: Base & RunStarted): StreamEvent[]
  finish(raw: Base & RunFinished): StreamEvent[]
  fail(raw: Base & RunFailed): StreamEvent[]
  /** A question in the middle of a run, as LangGraph's bridge sends it. */
  ask(value: Json, raw: Base): StreamEvent[]
  /** The end of the last run, unless another has begun since. */
  endEvents(): readonly StreamEvent[]
}

export function createRuns(calls: Calls): Runs {
  const openQuestions = new Set<string>()
  let questionCount = 0
  let end: EventOf<'run-end'> | undefined

  function questionEvents(interrupt: Interrupt, raw: Base): StreamEvent[] {
    const { id, toolCallId, message, ...request } = interrupt
    const approvalId = typeof id === 'string' ? id : `interrupt-${++questionCount}`
    rememberOne(openQuestions, approvalId)
    return [
      ...(toolCallId === undefined ? [] : calls.complete(toolCallId)),
      {
        ...scopeOf(raw),
        type: 'approval',
        approvalId,
        state: 'requested',
        ...present({ callId: toolCallId, message: message ?? questionText(request) }),
        ...(Object.keys(request).length > 0 && { request }),
      },
    ]
  }

  /** The protocol requires an answer to every question before the next run; without one it counts as answered. */
  function answerEvents(resume: readonly Resumption[], raw: Base): StreamEvent[] {
    const resumptions = new Map(resume.map((resumption) => [resumption.interruptId, resumption]))
    const ids = [...new Set([...openQuestions, ...resumptions.keys()])]
    openQuestions.clear()
    return ids.map((approvalId) => {
      const { status, payload } = resumptions.get(approvalId) ?? {}
      const answer = payload === undefined || payload === null ? {} : { answer: payload }
      return { ...sentAtOf(raw), type: 'approval', approvalId, state: stateOf(status, payload), ...answer }
    })
  }

  return {
    start(raw) {
      const { threadId, runId, parentRunId, protocolVersion, model, input } = raw
      const { resume, ...inputFields } = input ?? {}
      const { meta: _meta, ...scope } = scopeOf(raw)
      const events: StreamEvent[] = [
        ...earlierEndEvents(end),
        { ...scope, type: 'run-start', ...present({ model }) },
        ...metadataEvents({ ...extraFields(raw), ...present({ threadId, runId, parentRunId, protocolVersion }) }),
        ...answerEvents(resume ?? [], raw),
      ]
      if (Object.keys(inputFields).length > 0) {
        events.push({ type: 'state', channel: 'input', op: 'snapshot', value: inputFields as JsonObject })
      }
      calls.clearUnanswered()
      end = undefined
      return events
    },
    finish(raw) {
      const { outcome, interrupt, result, usage } = raw
      const ended: Outcome = typeof outcome === 'string' ? { type: outcome } : (outcome ?? {})
      const isReadable = outcome === undefined || typeof outcome === 'string' || isJsonObject(outcome)
      const interrupts = ended.interrupts ?? (interrupt === undefined ? [] : [interrupt])
      const events = [
        ...usageEvents(usage),
        ...metadataEvents(extraFields(raw)),
        ...interrupts.flatMap((item) => questionEvents(item, withoutExtras(raw))),
        ...(isReadable ? [] : unmapped(raw)),
      ]
      // Some servers also finish a run that has failed.
      if (end?.outcome === 'error') return [...events, ...metadataEvents(present({ result: result ?? undefined }))]
      end = {
        ...sentAtOf(raw),
        type: 'run-end',
        outcome: outcomeOf(ended, openQuestions.size > 0, calls.unanswered.size > 0),
        ...present({ result: result ?? undefined }),
      }
      return events
    },
    fail(raw) {
      const { error, usage } = raw
      const before = end?.error
      const fields: { readonly [field: string]: Json | undefined } = isJsonObject(error) ? error : { message: error }
      const message = raw.message ?? fields.message
      const code = raw.code ?? fields.code
      end = {
        ...sentAtOf(raw),
        type: 'run-end',
        outcome: 'error',
        error: {
          message: typeof message === 'string' && message !== '' ? message : 'The run failed.',
          ...(code !== undefined && code !== null && { code: String(code) }),
        },
      }
      const isAnother = before !== undefined && before.message !== end.error?.message
      const earlier: StreamEvent[] = isAnother ? [{ type: 'status', message: before.message, level: 'error' }] : []
      const isReadable = typeof message === 'string' || (message ?? error ?? undefined) === undefined
      return [
        ...earlier,
        ...usageEvents(usage),
        ...metadataEvents(extraFields(raw)),
        ...(isReadable ? [] : unmapped(raw)),
      ]
    },
    ask: (value, raw) => {
      const request = parseIfJson(value)
      return questionEvents(isJsonObject(request) ? request : { message: textOrJson(request), value: request }, raw)
    },
    endEvents: () => (end === undefined ? [] : [end]),
  }
}

/** What the end of a run says, which is not the end of the stream if another run follows. */
function earlierEndEvents(end: EventOf<'run-end'> | undefined): StreamEvent[] {
  const { error, result } = end ?? {}
  const failures: StreamEvent[] =
    error === undefined ? [] : [{ type: 'status', message: error.message, level: 'error' }]
  return [...failures, ...metadataEvents(present({ result }))]
}

function outcomeOf(
  ended: Outcome,
  hasOpenQuestions: boolean,
  hasUnansweredCalls: boolean,
): EventOf<'run-end'>['outcome'] {
  if (ended.type === 'cancelled') return 'cancelled'
  if (ended.type === 'interrupt' || hasOpenQuestions) return 'awaiting-input'
  const isPending = ended.type === undefined ? hasUnansweredCalls : (ended.pendingToolCallIds ?? []).length > 0
  return isPending ? 'awaiting-input' : 'success'
}

function stateOf(status: string | undefined, payload: Json | undefined): ApprovalState {
  if (status === 'cancelled') return 'denied'
  const verdict = isJsonObject(payload) ? payload.approved : payload
  if (typeof verdict !== 'boolean') return 'answered'
  return verdict ? 'approved' : 'denied'
}

/** The time and agent of an event, without its extra fields. */
function withoutExtras({ timestamp, subagentRunId }: Base): Base {
  return present({ timestamp, subagentRunId })
}

function metadataEvents(metadata: JsonObject): StreamEvent[] {
  return Object.keys(metadata).length === 0 ? [] : [{ type: 'metadata', metadata }]
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
