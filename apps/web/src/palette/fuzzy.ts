/** How well a text matches what was typed: higher is better. `marks` are the characters that were found, in order. */
export interface Match {
  readonly score: number
  readonly marks: readonly number[]
}

const AT_START = 8
const AT_WORD = 6
const NEXT_TO_IT = 6
const ANYWHERE = 1
/** What a skipped character costs, up to a limit: a long title is not worse than a short one with the same words. */
const SKIPPED = 0.05
const LEFT_OVER = 0.01

/**
 * Finds the characters of a query in a text, in their order: `ntl` finds “New thread, light”. Every word of the query has to be
 * found; words may come in any order. Undefined if one is not there.
 */
export function matchOf(query: string, text: string): Match | undefined {
  const folded = foldedOf(text)
  let score = 0
  const marks = new Set<number>()
  for (const word of foldedOf(query).split(/\s+/).filter(Boolean)) {
    const found = bestOf(word, folded)
    if (found === undefined) return undefined
    score += found.score
    for (const mark of found.marks) marks.add(mark)
  }
  // Of two texts that match as well, the one with less around it.
  if (marks.size > 0) score -= Math.min(1, (text.length - marks.size) * LEFT_OVER)
  return { score, marks: [...marks].sort((one, other) => one - other) }
}

/** Without case and accents; as long as the text was. */
function foldedOf(text: string): string {
  return [...text].map((character) => fold(character)).join('')
}

function fold(character: string): string {
  const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.length === character.length ? plain : character
}

/** The best of the ways that begin at each occurrence of the first character. */
function bestOf(word: string, text: string): Match | undefined {
  let best: Match | undefined
  for (let start = text.indexOf(word[0] ?? ''); start !== -1; start = text.indexOf(word[0] ?? '', start + 1)) {
    const found = matchFrom(word, text, start)
    if (found === undefined) break
    if (best === undefined || found.score > best.score) best = found
  }
  return best
}

/** Takes the next character where it is adjacent, else at the beginning of a word, else anywhere. */
function matchFrom(word: string, text: string, start: number): Match | undefined {
  const marks = [start]
  let score = start === 0 ? AT_START : isWordStart(text, start) ? AT_WORD : ANYWHERE
  let at = start
  for (const character of word.slice(1)) {
    const isNext = text[at + 1] === character
    const next = isNext ? at + 1 : (wordStart(text, character, at + 1) ?? text.indexOf(character, at + 1))
    if (next === -1) return undefined
    score += isNext ? NEXT_TO_IT : isWordStart(text, next) ? AT_WORD - 3 : ANYWHERE
    score -= Math.min(1, (next - at - 1) * SKIPPED)
    marks.push(next)
    at = next
  }
  return { score, marks }
}

const isWordStart = (text: string, index: number) => index === 0 || /[^\p{L}\p{N}]/u.test(text[index - 1] ?? '')

function wordStart(text: string, character: string, from: number): number | undefined {
  for (let index = text.indexOf(character, from); index !== -1; index = text.indexOf(character, index + 1))
    if (isWordStart(text, index)) return index
  return undefined
}
