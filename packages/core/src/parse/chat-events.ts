import { present } from '../data/present.ts'
import type { RunError } from '../event-fields.ts'
import type { EventOf } from '../events.ts'
import { isJsonObject } from '../json.ts'
import type { RawRecord } from '../source/source.ts'
import { createOrderedEvents } from './chat-events/ordered.ts'
import type { RawChatEvent, RawRun, RawSegment } from './chat-events/raw.ts'
import { createRunUsage } from './chat-events/run-usage.ts'
import { addSegments, type Lists } from './chat-events/segments.ts'
import { addStep, withoutSteps } from './chat-events/steps.ts'
import { usageEvents } from './kit/counts.ts'
import type { Out } from './kit/voice.ts'
import { type Parser, type ParserState, type Recognition, understood, unmapped } from './parser.ts'

/** Millrace's own folded export, read back. Folding the events again gives the same export. */
export const chatEvents: Parser = {
  version: 4,
  losses: {
    rewrite: 'An export holds the final text only.',
    state: 'Shared state belongs to the run.',
    metadata: 'Metadata belongs to the run.',
    control: 'Requests of a person are not drawn.',
  },
  recognize,
  create,
}

function create(): ParserState {
  const lists: Lists = new Map()
  const runUsage = createRunUsage()
  let last: RawChatEvent | undefined
  let isLive = false
  let isAwaiting = false
  let reportedEnd: EventOf<'run-end'> | undefined
  /** The error of the last run if it has no chat events, which would show it. */
  let unshown: RunError | undefined

  function read(out: Out, chatEvent: RawChatEvent): void {
    pushMessage(out, chatEvent, lists)
    out.push(...runUsage(chatEvent))
    isLive ||= chatEvent.state === 'live'
    isAwaiting ||= chatEvent.segments.some(isWaiting)
    last = chatEvent
  }

  return {
    push(value) {
      const out: Out = []
      if (isChatEvent(value)) {
        read(out, value as RawChatEvent)
        return out
      }
      if (!isRun(value)) return unmapped(value)
      const { chatEvents: all, outcome, error } = value as RawRun
      if (error && typeof error.message !== 'string') return unmapped(value)
      if (unshown !== undefined) out.push({ type: 'error', ...unshown })
      for (const chatEvent of withReports(value as RawRun)) read(out, chatEvent)
      unshown = all.length === 0 ? (error ?? undefined) : undefined
      // The last run of a thread decides, even if it goes on.
      reportedEnd = outcome ? { type: 'run-end', outcome, ...present({ error }) } : undefined
      return understood(out)
    },
    end() {
      if (reportedEnd !== undefined) return [reportedEnd]
      if (isAwaiting) return [{ type: 'run-end', outcome: 'awaiting-input' }]
      return last === undefined ? [] : impliedEnd(last, isLive)
    },
  }
}

/** The messages of a run or thread, the last one of each run with the usage that the run reported. */
function withReports({ chatEvents: all, usage, runs = [] }: RawRun): readonly RawChatEvent[] {
  const reports = new Map(runs.map((run) => [run.id, run.usage]))
  const last = new Map(all.map(({ runId = '' }, index) => [runId, index]))
  return all.map((chatEvent, index) => {
    const { runId = '' } = chatEvent
    const runUsage =
      last.get(runId) === index ? (reports.get(runId) ?? (last.size === 1 ? usage : undefined)) : undefined
    return { ...present({ runUsage }), ...chatEvent }
  })
}

const WAITING: ReadonlySet<string> = new Set(['ready', 'approval', 'running', 'requested'])

/** Whether a call or a question has no answer. In a run that has ended otherwise, an export shows none. */
function isWaiting(segment: RawSegment): boolean {
  if (segment.type === 'subagent') return segment.segments.some(isWaiting)
  return (segment.type === 'tool' || segment.type === 'approval') && WAITING.has(segment.state)
}

/** The run's end, which an export may leave out: the state of the last message implies it. */
function impliedEnd({ state, segments }: RawChatEvent, isLive: boolean): EventOf<'run-end'>[] {
  const cause = segments.at(-1)
  if (state !== 'interrupted') return isLive ? [] : [{ type: 'run-end', outcome: 'success' }]
  if (isLive || cause?.type !== 'error') return []
  const { message, code, name } = cause
  return [{ type: 'run-end', outcome: 'error', error: { message, ...present({ code, name }) } }]
}

function pushMessage(out: Out, chatEvent: RawChatEvent, lists: Lists): void {
  const { role, state, segments, model, usage, steps = [], meta, startedAt, endedAt } = chatEvent
  const messageId = messageIdOf(chatEvent)
  const ordered = createOrderedEvents()
  addSegments(segments, lists, ordered)
  out.push({ type: 'message-start', messageId, role, ...present({ model, meta, sentAt: startedAt }) })
  for (const step of steps) addStep(step, ordered)
  // What no step used is counted before the first step: it would be added to the last one.
  const ofNoStep = usageEvents(withoutSteps(usage ?? {}, steps), { scope: 'step' })
  out.push(...(steps.length > 0 ? ofNoStep : []), ...ordered.events(), ...(steps.length > 0 ? [] : ofNoStep))
  const interrupted = state === 'interrupted' ? true : undefined
  if (state !== 'live') out.push({ type: 'message-end', messageId, ...present({ interrupted, sentAt: endedAt }) })
  if (state === 'retracted') out.push({ type: 'message-retract', messageIds: [messageId] })
}

/** The id of a chat event consists of the ids of its run and its message. */
function messageIdOf({ id, runId }: RawChatEvent): string {
  return runId !== undefined && id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : id
}

/** Whether a value has the main fields of a chat event. */
function isChatEvent(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, role, state, segments } = value
  return typeof id === 'string' && typeof role === 'string' && typeof state === 'string' && Array.isArray(segments)
}

/** Whether a value is a run or a thread: an object that holds chat events. */
function isRun(value: unknown): boolean {
  return isJsonObject(value) && Array.isArray(value.chatEvents) && value.chatEvents.every(isChatEvent)
}

function recognize({ value }: RawRecord): Recognition | undefined {
  if (isChatEvent(value)) return { certainty: 1, reason: 'a record is a chat event of segments' }
  return isRun(value) ? { certainty: 0.95, reason: 'a record holds chat events of segments' } : undefined
}
