import { remember } from '../../data/remember.ts'

/** The emitted part of each growing text: every record holds the whole text so far. */
export interface GrowingTexts {
  has(id: string): boolean
  /** What the text has grown by; `undefined` if it does not begin with the emitted text. */
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
