import { remember } from '../../data/remember.ts'

/** What was emitted of items that each record holds whole, in their current state. */
export interface Items {
  /** Whether a part of an item is new: its start, its input. From now on it is not. */
  isNew(id: string, part: string): boolean
  /** What a growing text of an item adds to what was emitted; empty if it does not continue that. */
  growth(id: string, text: string): string
  /** Nothing more of the item follows. An item of the same id is another one. */
  end(id: string): void
  clear(): void
}

export function createItems(): Items {
  const items = new Map<string, { readonly parts: Set<string>; text: string }>()
  const itemOf = (id: string) => items.get(id) ?? remember(items, id, { parts: new Set(), text: '' })
  return {
    isNew(id, part) {
      const { parts } = itemOf(id)
      if (parts.has(part)) return false
      parts.add(part)
      return true
    },
    growth(id, text) {
      const item = itemOf(id)
      if (!text.startsWith(item.text)) return ''
      const more = text.slice(item.text.length)
      item.text = text
      return more
    },
    end: (id) => void items.delete(id),
    clear: () => items.clear(),
  }
}
