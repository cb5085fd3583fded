import type { ChatEvent, ReasoningSegment, Segment } from '../shapes.ts'
import type { ItemsOf } from './items.ts'

/** Items of chat events in order, and the thoughts that the next message may repeat. */
export interface Walk<Item> {
  readonly items: readonly Item[]
  readonly thoughts: readonly string[]
}

/** A thought that was between tags in a text. */
type TaggedThought = ReasoningSegment & { readonly variant: 'think-tag' }

/**
 * Each thought is shown once. A thought in a chat event of its own claims the equal thought in the text of the next
 * message, in order; the same thought in another message is another thought.
 */
export function walk<Item>(
  chatEvents: readonly ChatEvent[],
  before: readonly string[],
  itemsOf: ItemsOf<Item>,
): Walk<Item> {
  return createWalker(before, itemsOf)(chatEvents)
}

/** The state of the walk before a chat event: the number of items, and the lone thoughts directly before it. */
interface Milestone {
  readonly chatEvent: ChatEvent
  readonly items: number
  readonly thoughts: readonly string[]
}

/** Walks the same chat events repeatedly as they grow: only those from the first change on are walked again. */
export function createWalker<Item>(
  before: readonly string[],
  itemsOf: ItemsOf<Item>,
): (chatEvents: readonly ChatEvent[]) => Walk<Item> {
  const items: Item[] = []
  const milestones: Milestone[] = []
  let thoughts = before

  function returnTo(position: number): void {
    const milestone = milestones[position]
    if (milestone === undefined) return
    items.length = milestone.items
    thoughts = milestone.thoughts
    milestones.length = position
  }

  function visit(chatEvent: ChatEvent): void {
    milestones.push({ chatEvent, items: items.length, thoughts })
    const thought = loneThought(chatEvent)
    const claimed = thought === undefined ? claimedBy(thoughts, chatEvent) : noClaims
    for (const item of itemsOf(chatEvent, claimed)) items.push(item)
    thoughts = thought === undefined ? [] : [...thoughts, thought]
  }

  return (chatEvents) => {
    let position = 0
    while (position < milestones.length && milestones[position]?.chatEvent === chatEvents[position]) position++
    returnTo(position)
    for (; position < chatEvents.length; position++) visit(chatEvents[position] as ChatEvent)
    return { items: items.slice(), thoughts }
  }
}

function loneThought({ segments }: ChatEvent): string | undefined {
  const [first] = segments
  return segments.length === 1 && first?.type === 'reasoning' && !isTagged(first) ? first.text : undefined
}

const noClaims: ReadonlySet<string> = new Set()

/** The ids of the segments that repeat a thought. */
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

/** A thought that is still being written counts as the same while it is a prefix. */
function isSame({ text, state }: TaggedThought, thought: string): boolean {
  if (state === 'live') return thought.trim().startsWith(text.trim())
  return text.trim() === thought.trim()
}

function isTagged(segment: Segment): segment is TaggedThought {
  return segment.type === 'reasoning' && segment.variant === 'think-tag'
}
