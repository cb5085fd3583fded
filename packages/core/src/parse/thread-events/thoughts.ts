/** The opening and the closing tag of a thought in the raw content of a message. */
const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * The thoughts that a message does not repeat between tags. A store keeps a thought that was streamed as an event, and
 * once more in the raw content of its message; each repeats one thought, in order.
 */
export function unrepeated<Thought extends { readonly text: string }>(
  thoughts: readonly Thought[],
  content: string,
): readonly Thought[] {
  let from = 0
  return thoughts.filter(({ text }) => {
    for (let at = content.indexOf(OPEN, from); at !== -1; at = content.indexOf(OPEN, at + OPEN.length)) {
      const end = content.indexOf(CLOSE, at)
      if (end === -1) return true
      if (content.slice(at + OPEN.length, end).trim() !== text.trim()) continue
      from = end
      return false
    }
    return true
  })
}
