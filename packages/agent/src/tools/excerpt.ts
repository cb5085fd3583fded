/** The beginning and the end of a text that may be without a limit. */
export interface Excerpt {
  push(text: string): void
  text(): string
}

const KEPT = 16 * 1024

export function createExcerpt(): Excerpt {
  let head = ''
  let tail = ''
  let left = 0
  return {
    push(text) {
      const room = KEPT - head.length
      head += text.slice(0, room)
      tail += text.slice(Math.max(0, room))
      if (tail.length <= 2 * KEPT) return
      left += tail.length - KEPT
      tail = tail.slice(-KEPT)
    },
    text: () => (left === 0 ? head + tail : `${head}\n[${left} characters are left out]\n${tail}`),
  }
}
