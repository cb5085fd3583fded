import type { ChatEvent, Segment } from '../shapes.ts'
import { type TimelineItem, timelineOf } from '../timeline.ts'

/** The items of a chat event, without those of the segments with these ids, which are shown elsewhere. */
export type ItemsOf<Item> = (chatEvent: ChatEvent, claimed: ReadonlySet<string>) => readonly Item[]

/** Snapshots share unchanged chat events, so that each is mapped once. The ids of the items are those of the segments, so that the events of a thread keep their ids. */
export function createItemsOf(): ItemsOf<TimelineItem> {
  const itemsByChatEvent = new WeakMap<ChatEvent, readonly TimelineItem[]>()
  /** Texts that are not blank. Texts only grow, and checking again would read the whole text for every token. */
  const nonBlankIds = new Set<string>()

  function map(chatEvent: ChatEvent): readonly TimelineItem[] {
    return chatEvent.segments.flatMap((segment) => {
      const shortened = isText(segment) && nonBlankIds.has(segment.id) ? { ...segment, text: 'x' } : segment
      return timelineOf([{ ...chatEvent, id: '', segments: [shortened] }]).map((item) => {
        const named = 'id' in item ? { ...item, id: item.id.slice(':'.length) } : item
        if (!isText(segment)) return named
        nonBlankIds.add(segment.id)
        return { ...named, content: segment.text }
      })
    })
  }

  return (chatEvent, claimed) => {
    const items = itemsByChatEvent.get(chatEvent) ?? map(chatEvent)
    itemsByChatEvent.set(chatEvent, items)
    return claimed.size === 0 ? items : items.filter((item) => !('id' in item && claimed.has(item.id)))
  }
}

function isText(segment: Segment): segment is Segment & { type: 'text' | 'reasoning' } {
  return segment.type === 'text' || segment.type === 'reasoning'
}
