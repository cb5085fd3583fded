import { blockLabel, blocksOf, type ChatEvent, type Segment } from '@millrace/core/fold'

/** The announcements of these events, by a stable key: each is announced once, when it first appears. */
export function announcementsOf(events: readonly ChatEvent[]): ReadonlyMap<string, string> {
  const announcements = new Map<string, string>()
  for (const { id, segments, state, role } of events) {
    if (role === 'user' || state === 'retracted') continue
    addSegments(announcements, id, segments)
  }
  return announcements
}

function addSegments(announcements: Map<string, string>, scope: string, segments: readonly Segment[]): void {
  for (const block of blocksOf(segments)) {
    const key = `${scope}:${block.key}`
    if (block.kind !== 'segment') {
      if (block.state === 'done' && block.endedAt !== undefined) announcements.set(key, blockLabel(block))
      continue
    }
    const { segment } = block
    const announcement = announcementOf(segment)
    if (announcement !== undefined) announcements.set(`${key}:${questionOf(segment)}:${announcement}`, announcement)
    if (segment.type === 'subagent') addSegments(announcements, scope, segment.segments)
  }
}

/** A call may ask more than once: each question is announced. */
function questionOf(segment: Segment): string {
  return segment.type === 'tool' && segment.state === 'approval' ? (segment.approval?.approvalId ?? '') : ''
}

const toolAnnouncements: { readonly [state: string]: (name: string) => string } = {
  approval: (name) => `Approval needed: ${name}`,
  done: (name) => `${name} finished`,
  failed: (name) => `${name} failed`,
  denied: (name) => `${name} denied`,
  cancelled: (name) => `${name} stopped`,
}

/** Finished pieces and questions; nothing per token. A fatal error is an alert, so it is not announced here. */
function announcementOf(segment: Segment): string | undefined {
  if (segment.type === 'tool') return toolAnnouncements[segment.state]?.(segment.title ?? segment.name)
  if (segment.type === 'text') return segment.state === 'done' ? 'Answer written' : undefined
  if (segment.type === 'approval' && segment.state === 'requested') return 'Your answer is needed'
  if (segment.type === 'subagent' && segment.state !== 'live') return `${segment.name} ${segment.state}`
  return undefined
}
