import { remember } from '../../data/remember.ts'

/** What is remembered of an item until it completes, because every record holds the whole item. */
export interface OpenItem {
  /** As much of its growing text as was emitted. */
  emittedText: string
  hasInput: boolean
}

export interface OpenItems {
  get(id: string): OpenItem | undefined
  open(id: string): OpenItem
  close(id: string): void
  clear(): void
}

export function createOpenItems(): OpenItems {
  const items = new Map<string, OpenItem>()
  return {
    get: (id) => items.get(id),
    open: (id) => remember(items, id, { emittedText: '', hasInput: false }),
    close: (id) => items.delete(id),
    clear: () => items.clear(),
  }
}

/** What a text has grown by since it was last emitted; undefined if it does not begin with the emitted text. */
export function growth(item: OpenItem, text: string): string | undefined {
  if (!text.startsWith(item.emittedText)) return undefined
  const more = text.slice(item.emittedText.length)
  item.emittedText = text
  return more
}
