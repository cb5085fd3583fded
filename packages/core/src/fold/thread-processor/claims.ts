import type { ChatEvent, ReasoningSegment, Segment } from '../shapes.ts'
import type { TimelineItem } from '../timeline.ts'
import type { ItemsOf } from './items.ts'

/** Items of chat events in order, and the thoughts that the message to come may repeat. */
export interface Walk {
  readonly items: readonly TimelineItem[]
  readonly thoughts: readonly string[]
}

/** A thought that stood between tags in a text. */
type TaggedThought = ReasoningSegment & { readonly variant: 'think-tag' }

/**
 * Each thought is shown once. A thought that came on its own claims the equal one in the text of the message directly
 * after it, in order; the same thought in another message is another thought.
 */
export function walk(chatEvents: readonly ChatEvent[], before: readonly string[], itemsOf: ItemsOf): Walk {
  return createWalker(before, itemsOf)(chatEvents)
}

/** What the walk knew before a chat event: how many items there were, and which lone thoughts came directly before. */
interface Milestone {
  readonly chatEvent: ChatEvent
  readonly items: number
  readonly thoughts: readonly string[]
}

/** Walks the same chat events again and again as they grow: only what is behind the first change is walked anew. */
export function createWalker(before: readonly string[], itemsOf: ItemsOf): (chatEvents: readonly ChatEvent[]) => Walk {
  const items: TimelineItem[] = []
  const milestones: Milestone[] = []
  let thoughts = before

  function returnTo(position: number): void {
    const milestone = milestones[position]
    if (milestone === undefined) return
    items.length = milestone.items
    thoughts = milestone.thoughts
    milestones.length = position
  }

  function pass(chatEvent: ChatEvent): void {
    milestones.push({ chatEvent, items: items.length, thoughts })
    const thought = loneThought(chatEvent)
    const claimed = thought === undefined ? claimedBy(thoughts, chatEvent) : noClaims
    for (const item of itemsOf(chatEvent)) if (!('id' in item && claimed.has(item.id))) items.push(item)
    thoughts = thought === undefined ? [] : [...thoughts, thought]
  }

  return (chatEvents) => {
    let position = 0
    while (position < milestones.length && milestones[position]?.chatEvent === chatEvents[position]) position++
    returnTo(position)
    for (; position < chatEvents.length; position++) pass(chatEvents[position] as ChatEvent)
    return { items: items.slice(), thoughts }
  }
}

function loneThought({ segments }: ChatEvent): string | undefined {
  const [first] = segments
  return segments.length === 1 && first?.type === 'reasoning' && !isTagged(first) ? first.text : undefined
}

const noClaims: ReadonlySet<string> = new Set()

/** The ids of the segments, and so of their items, that repeat a thought. */
function claimedBy(thoughts: readonly string[], { segments }: ChatEvent): ReadonlySet<string> {
  if (thoughts.length === 0) return noClaims
  const unclaimed = [...thoughts]
  const claimed = segments.filter(isTagged).filter((segment) => {
    const claim = unclaimed.findIndex((thought) => isSame(segment, thought))
    if (claim !== -1) unclaimed.splice(0, claim + 1)
    return claim !== -1
  })
  return new Set(claimed.map(({ id }) => id))
}

/** A thought that is still being written is the same as long as it may become it. */
function isSame({ text, state }: TaggedThought, thought: string): boolean {
  if (state === 'live') return thought.trim().startsWith(text.trim())
  return text.trim() === thought.trim()
}

function isTagged(segment: Segment): segment is TaggedThought {
  return segment.type === 'reasoning' && segment.variant === 'think-tag'
}
