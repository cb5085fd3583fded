import type { ChatEvent, Segment, ToolSegment } from '@millrace/core/fold/shapes'

type Open = Extract<Segment, { type: 'tool' | 'approval' }>

/** What waits for a person's answer, subagents' questions included. */
export function openQuestions(chatEvents: readonly ChatEvent[]): readonly Open[] {
  return chatEvents.flatMap(({ segments }) => segments.flatMap(questionsIn))
}

function questionsIn(segment: Segment): readonly Open[] {
  if (segment.type === 'subagent') return segment.segments.flatMap(questionsIn)
  if (segment.type === 'approval') return segment.state === 'requested' ? [segment] : []
  return segment.type === 'tool' && segment.state === 'approval' ? [segment] : []
}

/** The tool that runs now, the innermost one. */
export function runningTool(chatEvents: readonly ChatEvent[]): ToolSegment | undefined {
  return chatEvents
    .findLast(({ state }) => state === 'live')
    ?.segments.flatMap(runningIn)
    .at(-1)
}

function runningIn(segment: Segment): readonly ToolSegment[] {
  if (segment.type === 'subagent') return segment.segments.flatMap(runningIn)
  // Not every framework says that a tool runs: one that has all of its input does.
  return segment.type === 'tool' && (segment.state === 'running' || segment.state === 'ready') ? [segment] : []
}
