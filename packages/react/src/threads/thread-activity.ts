import { type ChatEvent, leavesOf, type Segment, type ToolSegment, toolsIn } from '@millrace/core/fold'

type OpenQuestion = Extract<Segment, { type: 'tool' | 'approval' }>

/** The segments that wait for the user's answer, including those of subagents. */
export function openQuestions(chatEvents: readonly ChatEvent[]): readonly OpenQuestion[] {
  return chatEvents.flatMap(({ segments }) => leavesOf(segments)).filter(isOpenQuestion)
}

function isOpenQuestion(segment: Segment): segment is OpenQuestion {
  if (segment.type === 'approval') return segment.state === 'requested'
  return segment.type === 'tool' && segment.state === 'approval'
}

/** The innermost tool that is running. */
export function runningTool(chatEvents: readonly ChatEvent[]): ToolSegment | undefined {
  const live = chatEvents.findLast(({ state }) => state === 'live')
  // Not every framework reports that a tool runs: one that has all of its input counts as running.
  return toolsIn(live?.segments ?? []).findLast(({ state }) => state === 'running' || state === 'ready')
}
