import type { ChatEvent, Segment, ToolSegment } from '@millrace/core/fold/shapes'

type OpenQuestion = Extract<Segment, { type: 'tool' | 'approval' }>

/** The segments that wait for the user's answer, including those of subagents. */
export function openQuestions(chatEvents: readonly ChatEvent[]): readonly OpenQuestion[] {
  return chatEvents.flatMap(({ segments }) => segments.flatMap(questionsIn))
}

function questionsIn(segment: Segment): readonly OpenQuestion[] {
  if (segment.type === 'subagent') return segment.segments.flatMap(questionsIn)
  if (segment.type === 'approval') return segment.state === 'requested' ? [segment] : []
  return segment.type === 'tool' && segment.state === 'approval' ? [segment] : []
}

/** The innermost tool that is running. */
export function runningTool(chatEvents: readonly ChatEvent[]): ToolSegment | undefined {
  return chatEvents
    .findLast(({ state }) => state === 'live')
    ?.segments.flatMap(runningIn)
    .at(-1)
}

function runningIn(segment: Segment): readonly ToolSegment[] {
  if (segment.type === 'subagent') return segment.segments.flatMap(runningIn)
  // Not every framework reports that a tool runs: one that has all of its input counts as running.
  return segment.type === 'tool' && (segment.state === 'running' || segment.state === 'ready') ? [segment] : []
}
