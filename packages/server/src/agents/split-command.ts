/** A word of a command: in quotes, or with backslashes, or plain. */
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)|(\s+)/gsu

/** Splits a command into words as a shell would, and expands nothing. Undefined if a quote is open. */
export function splitCommand(text: string): readonly string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let end = 0
  for (const match of text.matchAll(WORD)) {
    if (match.index !== end) return undefined
    end += match[0].length
    const [, quoted, literal, escaped, plain, space] = match
    if (space === undefined) word = (word ?? '') + (quoted?.replaceAll(/\\(.)/gsu, '$1') ?? literal ?? escaped ?? plain)
    if (space === undefined || word === undefined) continue
    words.push(word)
    word = undefined
  }
  if (end !== text.length) return undefined
  return word === undefined ? words : [...words, word]
}
