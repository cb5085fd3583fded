import type { ApprovalState } from '../event-fields.ts'
import type { ApprovalSegment, ChatEvent, FoldedApproval, Segment, ToolSegment, ToolState } from './shapes.ts'

/** Joins the chat events of runs that follow each other. */
export type JoinRuns = (chatEvents: readonly ChatEvent[]) => readonly ChatEvent[]

/** What a chat event waits for, and what it brings for others. Found once per chat event. */
interface Facts {
  readonly hasOpen: boolean
  readonly orphans: readonly LateAnswer[]
}

/** A call's output, or an approval's answer, that stands in a later run than what it answers. */
type LateAnswer = ToolSegment | ApprovalSegment

/**
 * A run that awaits something ends with it open, and a later run carries what it waited for. The output is shown at the
 * call, the answer at its question, and not a second time where they came. What did not change keeps its identity.
 */
export function createJoin(): JoinRuns {
  const facts = new WeakMap<ChatEvent, Facts>()
  const joined = new WeakMap<ChatEvent, { readonly by: readonly LateAnswer[]; readonly result: ChatEvent }>()

  function factsOf(chatEvent: ChatEvent): Facts {
    const found = facts.get(chatEvent) ?? { hasOpen: hasOpen(chatEvent.segments), orphans: orphansOf(chatEvent) }
    facts.set(chatEvent, found)
    return found
  }

  /** The same patch of the same chat event is the same object. */
  function patched(chatEvent: ChatEvent, by: readonly LateAnswer[], change: () => readonly Segment[]): ChatEvent {
    const before = joined.get(chatEvent)
    if (before?.by.length === by.length && before.by.every((lateAnswers, index) => lateAnswers === by[index]))
      return before.result
    const result = { ...chatEvent, segments: change() }
    joined.set(chatEvent, { by, result })
    return result
  }

  return (chatEvents) => {
    const lateAnswers = chatEvents.flatMap((chatEvent) => factsOf(chatEvent).orphans)
    if (lateAnswers.length === 0) return chatEvents
    const byId = new Map(lateAnswers.map((segment) => [answerKeyOf(segment), segment]))
    const used = new Set<LateAnswer>()
    const runOf = new Map(chatEvents.flatMap((event) => factsOf(event).orphans.map((orphan) => [orphan, event.runId])))
    const attached = chatEvents.map((chatEvent) => {
      if (!factsOf(chatEvent).hasOpen) return chatEvent
      const attachedHere: LateAnswer[] = []
      const segments = withAnswers(chatEvent.segments, (key) => {
        const found = byId.get(key)
        if (found === undefined || runOf.get(found) === chatEvent.runId) return undefined
        attachedHere.push(found)
        used.add(found)
        return found
      })
      return attachedHere.length === 0 ? chatEvent : patched(chatEvent, attachedHere, () => segments)
    })
    return attached.flatMap((chatEvent) => {
      const hidden = factsOf(chatEvent).orphans.filter((orphan) => used.has(orphan))
      if (hidden.length === 0) return chatEvent
      const visible = chatEvent.segments.filter((segment) => !used.has(segment as LateAnswer))
      return visible.length === 0 ? [] : patched(chatEvent, hidden, () => visible)
    })
  }
}

const isOpenCall = (segment: ToolSegment) => segment.endedAt === undefined && !isOrphan(segment)

function hasOpen(segments: readonly Segment[]): boolean {
  return segments.some((segment) => {
    if (segment.type === 'subagent') return hasOpen(segment.segments)
    if (segment.type === 'approval') return segment.state === 'requested'
    return segment.type === 'tool' && isOpenCall(segment)
  })
}

const isOrphan = (segment: ToolSegment) => segment.meta?.millrace?.orphan === true

/** Only the main agent's: a call and its answer stand at the same depth or in no subagent. */
function orphansOf({ segments }: ChatEvent): readonly LateAnswer[] {
  return segments.filter(
    (segment): segment is LateAnswer =>
      (segment.type === 'tool' && isOrphan(segment) && segment.endedAt !== undefined) ||
      (segment.type === 'approval' && segment.state !== 'requested'),
  )
}

const answerKeyOf = (lateAnswers: LateAnswer) =>
  lateAnswers.type === 'tool' ? `call ${lateAnswers.callId}` : `approval ${lateAnswers.approvalId}`

type FindLateAnswer = (key: string) => LateAnswer | undefined

function withAnswers(segments: readonly Segment[], find: FindLateAnswer): readonly Segment[] {
  return segments.map((segment) => {
    if (segment.type === 'subagent' && hasOpen(segment.segments)) {
      return { ...segment, segments: withAnswers(segment.segments, find) }
    }
    if (segment.type === 'approval' && segment.state === 'requested') {
      const answer = find(`approval ${segment.approvalId}`)
      return answer === undefined ? segment : { ...segment, ...answerOf(answer), ...endOf(segment, answer) }
    }
    return segment.type === 'tool' && isOpenCall(segment) ? completed(answered(segment, find), find) : segment
  })
}

const STATE_AFTER: { readonly [State in ApprovalState]: ToolState } = {
  requested: 'approval',
  approved: 'running',
  answered: 'running',
  denied: 'denied',
  expired: 'cancelled',
}

function answered(call: ToolSegment, find: FindLateAnswer): ToolSegment {
  if (call.approval?.state !== 'requested') return call
  const answer = find(`approval ${call.approval.approvalId}`)
  if (answer?.type !== 'approval') return call
  return { ...call, approval: { ...call.approval, ...answerOf(answer) }, state: STATE_AFTER[answer.state] }
}

function completed(call: ToolSegment, find: FindLateAnswer): ToolSegment {
  const output = find(`call ${call.callId}`)
  if (output?.type !== 'tool') return call
  const { state, output: value, error, progress } = output
  return {
    ...call,
    state,
    ...(value !== undefined && { output: value }),
    ...(error !== undefined && { error }),
    ...(progress !== undefined && { progress: [...(call.progress ?? []), ...progress] }),
    ...endOf(call, output),
  }
}

/** Two runs may have two clocks: nothing ends before it has started. */
const endOf = ({ startedAt }: LateAnswer, { endedAt }: LateAnswer) =>
  endedAt === undefined ? {} : { endedAt: Math.max(startedAt, endedAt) }

function answerOf(lateAnswers: LateAnswer): Partial<FoldedApproval> {
  if (lateAnswers.type !== 'approval') return {}
  const { state, message, answer, by } = lateAnswers
  return {
    state,
    ...(message !== undefined && { message }),
    ...(answer !== undefined && { answer }),
    ...(by !== undefined && { by }),
  }
}
