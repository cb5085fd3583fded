import { remember, rememberOne } from '../../data/remember.ts'

/** The emitted part of each growing text: every record holds the whole text so far. */
export interface GrowingTexts {
  has(id: string): boolean
  /** What the text has grown by; `undefined` if it does not begin with the emitted text. */
  growth(id: string, text: string): string | undefined
  add(id: string, text: string): void
  replace(id: string, text: string): void
  forget(id: string): void
  /** Forgets a text that is whole, but not that it was there. */
  end(id: string): void
  hasEnded(id: string): boolean
}

export function createGrowingTexts(): GrowingTexts {
  const texts = new Map<string, string>()
  const ended = new Set<string>()
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
    end(id) {
      texts.delete(id)
      rememberOne(ended, id)
    },
    hasEnded: (id) => ended.has(id),
  }
}
