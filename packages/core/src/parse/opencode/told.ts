/** How many parts are remembered while they grow: an endless stream must not grow. */
const MAX_REMEMBERED = 8192

/** How much of each growing text has been told: every record holds the part whole. */
export interface Told {
  has(id: string): boolean
  /** What the text has grown by; `undefined` where it is another text. */
  growth(id: string, text: string): string | undefined
  add(id: string, text: string): void
  replace(id: string, text: string): void
  forget(id: string): void
}

export function createTold(): Told {
  const texts = new Map<string, string>()
  function replace(id: string, text: string): void {
    if (texts.size === MAX_REMEMBERED && !texts.has(id)) texts.clear()
    texts.set(id, text)
  }
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
