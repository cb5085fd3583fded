import { blocksOf, type ChatEvent, type Segment, type ToolState } from '@millrace/core/fold'
import { finishedLabel } from './durations.ts'
import type { Labels, NameLabel } from './labels.ts'

/** Texts by a stable key: each is announced once, when it first appears. */
export type Announcements = ReadonlyMap<string, string>

/** The announcements of these events. */
export function announcementsOf(events: readonly ChatEvent[], labels: Labels): Announcements {
  const announcements = new Map<string, string>()
  for (const { id, segments, state, role } of events) {
    if (role === 'user' || state === 'retracted') continue
    addSegments(announcements, id, segments, labels)
  }
  return announcements
}

function addSegments(
  announcements: Map<string, string>,
  scope: string,
  segments: readonly Segment[],
  labels: Labels,
): void {
  for (const block of blocksOf(segments)) {
    const key = `${scope}:${block.key}`
    if (block.kind !== 'segment') {
      if (block.state === 'done' && block.endedAt !== undefined) announcements.set(key, finishedLabel(block, labels))
      continue
    }
    const { segment } = block
    const announcement = announcementOf(segment, labels)
    if (announcement !== undefined) announcements.set(`${key}:${occasionOf(segment)}`, announcement)
    if (segment.type === 'subagent') addSegments(announcements, scope, segment.segments, labels)
  }
}

/** What is announced once: a state, and each question of a call that asks more than once. Not the words: labels change. */
function occasionOf(segment: Segment): string {
  const asked = segment.type === 'tool' && segment.state === 'approval' ? (segment.approval?.approvalId ?? '') : ''
  return `${asked}:${'state' in segment ? segment.state : ''}`
}

/** Finished pieces and questions; nothing per token. A fatal error is an alert, so it is not announced here. */
function announcementOf(segment: Segment, labels: Labels): string | undefined {
  if (segment.type === 'tool') return toolAnnouncement(segment.state, labels)?.(segment.title ?? segment.name)
  if (segment.type === 'text') return segment.state === 'done' ? labels.answerWritten : undefined
  if (segment.type === 'approval' && segment.state === 'requested') return labels.answerNeeded
  if (segment.type === 'subagent' && segment.state !== 'live') return labels.subagentEnded(segment.name, segment.state)
  return undefined
}

function toolAnnouncement(state: ToolState, labels: Labels): NameLabel | undefined {
  const announced: { readonly [State in ToolState]?: NameLabel } = {
    approval: labels.approvalNeeded,
    done: labels.toolFinished,
    failed: labels.toolFailed,
    denied: labels.toolDenied,
    cancelled: labels.toolStopped,
  }
  return announced[state]
}
