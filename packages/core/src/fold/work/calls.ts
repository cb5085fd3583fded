import type { ChatEvent, Segment, SubagentSegment, ToolSegment } from '../shapes.ts'

/** A call of a tool, wherever it lies, with what surrounds it. */
export interface Call {
  readonly segment: ToolSegment
  readonly runId: string
  /** Counted from 1 over all chat events that were given. A subagent's calls have the step of the subagent. */
  readonly step: number
  /** The subagent that made the call; absent: the main agent. */
  readonly agentId?: string
  readonly agentName?: string
}

/** Tools and subagents of one message without text between them. */
export interface WorkStep {
  /** Counted from 1 over all chat events that were given. */
  readonly number: number
  readonly runId: string
  /** The first and the last entry of its parts. */
  readonly seqs: readonly [first: number, last: number]
  readonly parts: readonly (ToolSegment | SubagentSegment)[]
}

type Part = ToolSegment | SubagentSegment

/** The steps of a chat, in order. Retracted messages have none. */
export function stepsOf(chatEvents: readonly ChatEvent[]): readonly WorkStep[] {
  const steps: WorkStep[] = []
  for (const chatEvent of chatEvents) {
    const { runId } = chatEvent
    for (const parts of partsOfMessage(chatEvent)) {
      steps.push({ number: steps.length + 1, runId, seqs: seqsOfParts(parts), parts })
    }
  }
  return steps
}

/** Every call of a chat: by step, those of a subagent where the subagent began. */
export function callsOf(chatEvents: readonly ChatEvent[]): readonly Call[] {
  return stepsOf(chatEvents).flatMap(({ number, runId, parts }) => callsIn(parts, { step: number, runId }))
}

/** An entry of a run. */
export interface Moment {
  readonly runId: string
  readonly seq: number
}

/** The calls that have ended, by the given entry, in the order of their ends. */
export function endedBy(calls: readonly Call[], upTo: Moment | undefined): readonly Call[] {
  const runs = new Map<string, number>()
  for (const { runId } of calls) if (!runs.has(runId)) runs.set(runId, runs.size)
  const run = (runId: string) => runs.get(runId) ?? runs.size
  // A moment of a run without calls lies behind all calls of this chat.
  const isBy = ({ runId, segment }: Call) =>
    upTo === undefined || (runId === upTo.runId ? segment.seqs[1] <= upTo.seq : run(runId) < run(upTo.runId))
  return calls
    .filter((call) => call.segment.endedAt !== undefined && isBy(call))
    .sort((one, other) => run(one.runId) - run(other.runId) || one.segment.seqs[1] - other.segment.seqs[1])
}

type Surrounding = Omit<Call, 'segment'>

function callsIn(segments: readonly Segment[], surrounding: Surrounding): readonly Call[] {
  return segments.flatMap((segment): readonly Call[] => {
    if (segment.type === 'tool') return [{ ...surrounding, segment }]
    if (segment.type !== 'subagent') return []
    const { agentId, name } = segment
    return callsIn(segment.segments, { ...surrounding, agentId, agentName: name })
  })
}

const byMessage = new WeakMap<ChatEvent, readonly (readonly Part[])[]>()

/** Snapshots share the messages that did not change, and so what was found in them. */
function partsOfMessage(chatEvent: ChatEvent): readonly (readonly Part[])[] {
  const before = byMessage.get(chatEvent)
  if (before !== undefined) return before
  const found = chatEvent.state === 'retracted' || chatEvent.role === 'user' ? [] : divide(chatEvent.segments)
  byMessage.set(chatEvent, found)
  return found
}

function divide(segments: readonly Segment[]): readonly (readonly Part[])[] {
  const steps: Part[][] = []
  let isOpen = false
  for (const segment of segments) {
    if (segment.type === 'tool' ? segment.shownAs !== 'answer' : segment.type === 'subagent') {
      if (!isOpen) steps.push([])
      isOpen = true
      steps.at(-1)?.push(segment as Part)
    } else if (segment.type === 'text' && segment.text.trim() !== '') {
      isOpen = false
    }
  }
  return steps
}

function seqsOfParts(parts: readonly Part[]): readonly [number, number] {
  return [Math.min(...parts.map(({ seqs }) => seqs[0])), Math.max(...parts.map(({ seqs }) => seqs[1]))]
}
