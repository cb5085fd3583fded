import { STATE_AFTER_APPROVAL } from './reduce-tools.ts'
import type { ApprovalSegment, ChatEvent, FoldedApproval, Segment, ToolSegment } from './shapes.ts'
import { type LeafSegment, leavesOf, mapLeaves } from './subagent-walk.ts'

/** Joins the chat events of consecutive runs. */
export type JoinRuns = (chatEvents: readonly ChatEvent[]) => readonly ChatEvent[]

/** What a chat event leaves open, and the answers that it holds for other runs. Found once per chat event. */
interface Facts {
  readonly openKeys: ReadonlySet<string>
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
    const found = facts.get(chatEvent) ?? { openKeys: openKeysOf(segments), orphans: orphansOf(segments) }
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

  /** The answers to each chat event, by key. An id may be used again: an answer belongs to the last that asked before it. */
  function answersTo(chatEvents: readonly ChatEvent[]): ReadonlyMap<ChatEvent, ReadonlyMap<string, LateAnswer>> {
    const answers = new Map<ChatEvent, Map<string, LateAnswer>>()
    const askedBy = new Map<string, ChatEvent>()
    for (const chatEvent of chatEvents) {
      const { openKeys, orphans } = factsOf(chatEvent)
      for (const orphan of orphans) {
        const key = answerKeyOf(orphan)
        const asking = askedBy.get(key)
        if (asking === undefined || asking.runId === chatEvent.runId) continue
        answers.set(asking, (answers.get(asking) ?? new Map()).set(key, orphan))
      }
      for (const key of openKeys) askedBy.set(key, chatEvent)
    }
    return answers
  }

  return (chatEvents) => {
    const answers = answersTo(chatEvents)
    if (answers.size === 0) return chatEvents
    const used = new Set<LateAnswer>()
    const attached = chatEvents.map((chatEvent) => {
      const answersHere = answers.get(chatEvent)
      if (answersHere === undefined) return chatEvent
      const attachedHere: LateAnswer[] = []
      const find = (key: string) => {
        const found = answersHere.get(key)
        if (found === undefined) return undefined
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

/** The keys of the answers that are awaited. */
function openKeysOf(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(leavesOf(segments).flatMap(openKeysIn))
}

function openKeysIn(segment: LeafSegment): readonly string[] {
  if (segment.type === 'approval') return segment.state === 'requested' ? [`approval ${segment.approvalId}`] : []
  if (segment.type !== 'tool' || !isOpenCall(segment)) return []
  const { callId, approval } = segment
  return approval?.state === 'requested' ? [`call ${callId}`, `approval ${approval.approvalId}`] : [`call ${callId}`]
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
  const { state, message, answer, reason, remember, input, by } = late
  return {
    state,
    ...(message !== undefined && { message }),
    ...(answer !== undefined && { answer }),
    ...(reason !== undefined && { reason }),
    ...(remember !== undefined && { remember }),
    ...(input !== undefined && { input }),
    ...(by !== undefined && { by }),
  }
}
