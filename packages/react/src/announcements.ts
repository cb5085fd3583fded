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

/** The events that are not in `before`, each from the first block that has changed: a long message is not read again. */
export function changedSince(before: readonly ChatEvent[], events: readonly ChatEvent[]): readonly ChatEvent[] {
  const old = new Map(before.map((event) => [event.id, event]))
  return events.flatMap((event) => {
    const same = old.get(event.id)
    if (same === event) return []
    return same === undefined ? [event] : [{ ...event, segments: changedSegments(same.segments, event.segments) }]
  })
}

function changedSegments(before: readonly Segment[], segments: readonly Segment[]): readonly Segment[] {
  let first = 0
  while (first < before.length && before[first] === segments[first]) first++
  // A block begins with its first segment, however much of it has changed.
  while (first > 0 && isOfBlock(segments[first - 1])) first--
  return segments.slice(first)
}

const isOfBlock = (segment: Segment | undefined) => segment !== undefined && blocksOf([segment])[0]?.kind !== 'segment'

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
