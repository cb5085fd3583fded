import { STATE_AFTER_APPROVAL } from './reduce-tools.ts'
import type { ApprovalSegment, ChatEvent, FoldedApproval, Segment, ToolSegment } from './shapes.ts'
import { type LeafSegment, leavesOf, mapLeaves } from './subagent-walk.ts'

/** Joins the chat events of consecutive runs. */
export type JoinRuns = (chatEvents: readonly ChatEvent[]) => readonly ChatEvent[]

/** Whether a chat event awaits answers, and the answers that it holds for other runs. Found once per chat event. */
interface Facts {
  readonly isAwaiting: boolean
  readonly orphans: readonly LateAnswer[]
}

/** The output of a call, or the answer to an approval, in a later run than the call or the request. */
type LateAnswer = ToolSegment | ApprovalSegment

/**
 * A run that awaits input ends with an open call or question, and a later run carries the output or answer. The output
 * is shown at the call, the answer at its question, neither in the later run. What did not change keeps its identity.
 */
export function createJoin(): JoinRuns {
  const facts = new WeakMap<ChatEvent, Facts>()
  const joined = new WeakMap<ChatEvent, { readonly by: readonly LateAnswer[]; readonly result: ChatEvent }>()

  function factsOf(chatEvent: ChatEvent): Facts {
    const { segments } = chatEvent
    const found = facts.get(chatEvent) ?? { isAwaiting: leavesOf(segments).some(isOpen), orphans: orphansOf(segments) }
    facts.set(chatEvent, found)
    return found
  }

  /** The same answers to the same chat event give the same object. */
  function patched(chatEvent: ChatEvent, by: readonly LateAnswer[], change: () => readonly Segment[]): ChatEvent {
    const before = joined.get(chatEvent)
    if (before?.by.length === by.length && before.by.every((answer, index) => answer === by[index]))
      return before.result
    const result = { ...chatEvent, segments: change() }
    joined.set(chatEvent, { by, result })
    return result
  }

  return (chatEvents) => {
    const lateAnswers = chatEvents.flatMap((chatEvent) => factsOf(chatEvent).orphans)
    if (lateAnswers.length === 0) return chatEvents
    const byKey = new Map(lateAnswers.map((segment) => [answerKeyOf(segment), segment]))
    const used = new Set<LateAnswer>()
    const runOf = new Map(chatEvents.flatMap((event) => factsOf(event).orphans.map((orphan) => [orphan, event.runId])))
    const attached = chatEvents.map((chatEvent) => {
      if (!factsOf(chatEvent).isAwaiting) return chatEvent
      const attachedHere: LateAnswer[] = []
      const find = (key: string) => {
        const found = byKey.get(key)
        if (found === undefined || runOf.get(found) === chatEvent.runId) return undefined
        attachedHere.push(found)
        used.add(found)
        return found
      }
      const segments = mapLeaves(chatEvent.segments, (segment) => withAnswer(segment, find))
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

const isOrphan = (segment: ToolSegment) => segment.meta?.millrace?.orphan === true

const isOpenCall = (segment: ToolSegment) => segment.endedAt === undefined && !isOrphan(segment)

function isOpen(segment: LeafSegment): boolean {
  if (segment.type === 'approval') return segment.state === 'requested'
  return segment.type === 'tool' && isOpenCall(segment)
}

/** Only those outside of subagents: an answer is at the depth of its call, or in no subagent. */
function orphansOf(segments: readonly Segment[]): readonly LateAnswer[] {
  return segments.filter(
    (segment): segment is LateAnswer =>
      (segment.type === 'tool' && isOrphan(segment) && segment.endedAt !== undefined) ||
      (segment.type === 'approval' && segment.state !== 'requested'),
  )
}

const answerKeyOf = (late: LateAnswer) => (late.type === 'tool' ? `call ${late.callId}` : `approval ${late.approvalId}`)

type FindLateAnswer = (key: string) => LateAnswer | undefined

function withAnswer(segment: LeafSegment, find: FindLateAnswer): LeafSegment {
  if (segment.type === 'approval' && segment.state === 'requested') {
    const answer = find(`approval ${segment.approvalId}`)
    return answer === undefined ? segment : { ...segment, ...answerOf(answer), ...endOf(segment, answer) }
  }
  return segment.type === 'tool' && isOpenCall(segment) ? completed(answered(segment, find), find) : segment
}

function answered(call: ToolSegment, find: FindLateAnswer): ToolSegment {
  if (call.approval?.state !== 'requested') return call
  const answer = find(`approval ${call.approval.approvalId}`)
  if (answer?.type !== 'approval') return call
  return { ...call, approval: { ...call.approval, ...answerOf(answer) }, state: STATE_AFTER_APPROVAL[answer.state] }
}

function completed(call: ToolSegment, find: FindLateAnswer): ToolSegment {
  const output = find(`call ${call.callId}`)
  if (output?.type !== 'tool') return call
  const { state, output: value, error, progress: reports } = output
  return {
    ...call,
    state,
    ...(value !== undefined && { output: value }),
    ...(error !== undefined && { error }),
    ...(reports !== undefined && { progress: [...(call.progress ?? []), ...reports] }),
    ...endOf(call, output),
  }
}

/** Two runs may have two clocks: the end is never earlier than the start. */
const endOf = ({ startedAt }: LateAnswer, { endedAt }: LateAnswer) =>
  endedAt === undefined ? {} : { endedAt: Math.max(startedAt, endedAt) }

function answerOf(late: LateAnswer): Partial<FoldedApproval> {
  if (late.type !== 'approval') return {}
  const { state, message, answer, by } = late
  return {
    state,
    ...(message !== undefined && { message }),
    ...(answer !== undefined && { answer }),
    ...(by !== undefined && { by }),
  }
}
