import { remember } from '../../data/remember.ts'

/** What is remembered of an item until it completes: every record holds the item whole. */
export interface OpenItem {
  /** As much of its growing text as has been told. */
  told: string
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
    open: (id) => remember(items, id, { told: '', hasInput: false }),
    close: (id) => items.delete(id),
    clear: () => items.clear(),
  }
}

/** What a text has grown by since it was last told; `undefined` where it is another text. */
export function growth(item: OpenItem, text: string): string | undefined {
  if (!text.startsWith(item.told)) return undefined
  const more = text.slice(item.told.length)
  item.told = text
  return more
}
