import { remember } from '../../data/remember.ts'

/** How much of each growing text has been told: every record holds the part whole. */
export interface GrowingTexts {
  has(id: string): boolean
  /** What the text has grown by; `undefined` where it is another text. */
  growth(id: string, text: string): string | undefined
  add(id: string, text: string): void
  replace(id: string, text: string): void
  forget(id: string): void
}

export function createGrowingTexts(): GrowingTexts {
  const texts = new Map<string, string>()
  const replace = (id: string, text: string) => remember(texts, id, text)
  return {
    has: (id) => texts.has(id),
    growth(id, text) {
      const before = texts.get(id) ?? ''
      if (!text.startsWith(before)) return undefined
      replace(id, text)
      return text.slice(before.length)
    },
    add: (id, text) => replace(id, (texts.get(id) ?? '') + text),
    replace,
    forget: (id) => texts.delete(id),
  }
}
