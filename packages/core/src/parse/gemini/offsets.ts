/**
 * Maps byte offsets in the UTF-8 of a text to offsets in its UTF-16. One pass for all of them, because a long text may
 * have a thousand citations. An offset beyond the end or inside a character has no entry.
 */
export function utf16Offsets(text: string, byteOffsets: readonly number[]): ReadonlyMap<number, number> {
  const wanted = [...new Set(byteOffsets)].sort((a, b) => a - b)
  const found = new Map<number, number>()
  let next = 0
  let bytes = 0
  for (let at = 0; at <= text.length && next < wanted.length; at++) {
    while (isBelow(wanted[next], bytes)) next++
    if (wanted[next] === bytes) found.set(bytes, at)
    const code = text.charCodeAt(at)
    if (isPair(text, at)) at++
    bytes += sizeOf(code)
  }
  return found
}

function isBelow(offset: number | undefined, bytes: number): boolean {
  return offset !== undefined && offset < bytes
}

function isPair(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
}

/** The number of bytes of the character that begins with this code unit. */
function sizeOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code >= 0xd800 && code < 0xdc00 ? 4 : 3
}
