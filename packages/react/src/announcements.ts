import { blockLabel, blocksOf } from '@millrace/core/fold/blocks'
import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'

/** What is worth saying of these events, by a key that stays the same: each is said once, when it first appears. */
export function announcementsOf(events: readonly ChatEvent[]): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  for (const { id, segments, state, role } of events) {
    if (role === 'user' || state === 'retracted') continue
    addSegments(said, id, segments)
  }
  return said
}

function addSegments(said: Map<string, string>, scope: string, segments: readonly Segment[]): void {
  for (const block of blocksOf(segments)) {
    const key = `${scope}:${block.key}`
    if (block.kind !== 'segment') {
      if (block.state === 'done' && block.endedAt !== undefined) said.set(key, blockLabel(block))
      continue
    }
    const { segment } = block
    const words = wordsOf(segment)
    if (words !== undefined) said.set(`${key}:${words}`, words)
    if (segment.type === 'subagent') addSegments(said, scope, segment.segments)
  }
}

const toolWords: { readonly [state: string]: (name: string) => string } = {
  approval: (name) => `Approval needed: ${name}`,
  done: (name) => `${name} finished`,
  failed: (name) => `${name} failed`,
  denied: (name) => `${name} denied`,
  cancelled: (name) => `${name} stopped`,
}

/** Finished pieces and questions; nothing per token. A fatal error speaks for itself: it is an alert. */
function wordsOf(segment: Segment): string | undefined {
  if (segment.type === 'tool') return toolWords[segment.state]?.(segment.title ?? segment.name)
  if (segment.type === 'text') return segment.state === 'done' ? 'Answer written' : undefined
  if (segment.type === 'approval' && segment.state === 'requested') return 'Your answer is needed'
  if (segment.type === 'subagent' && segment.state !== 'live') return `${segment.name} ${segment.state}`
  return undefined
}
