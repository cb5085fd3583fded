/** Longer ones are cut by the line that shows them. */
const LONGEST = 240

const MARKS = /^(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s+/
const EMPHASIS = /(\*{1,3}|_{2,3}|`)(\S(?:[^\n]*?\S)?)\1/g
const LINKS = /!?\[([^[\]\n]*)\]\([^()\n]*\)/g
const END = /[.!?…](?=["”’)]?\s)/

/** The first sentence of a text, without marks of markdown: what is left of it when it is one line. Empty if it has none. */
export function firstSentence(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST)
    .split('\n')
    .find((each) => /[\p{L}\p{N}]/u.test(each))
  if (line === undefined) return ''
  const plain = line.trim().replace(MARKS, '').replace(LINKS, '$1').replace(EMPHASIS, '$2')
  const end = END.exec(plain)
  return (end === null ? plain : plain.slice(0, end.index + 1)).slice(0, LONGEST)
}
