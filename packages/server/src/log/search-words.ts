/**
 * How texts are divided into words, and what a query asks for: the same for every member, so that the same query finds the
 * same texts in each. A change here is a new version of the index (`SEARCH_VERSION`).
 */

export interface Word {
  /** In small letters, without accents: it has letters and digits only. */
  readonly word: string
  readonly from: number
  readonly to: number
}

/** Words that follow each other; the last of them is only the beginning of one if `isPrefix`. */
export interface Phrase {
  readonly words: readonly string[]
  readonly isPrefix: boolean
}

/** Scripts that do not divide words by spaces: each character is a word, and a phrase finds any part of a sentence. */
const UNDIVIDED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const WORD = new RegExp(`[${UNDIVIDED}]\\p{M}*|(?:(?![${UNDIVIDED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const PLAIN = /^[a-z0-9]+$/

/** Encoded data makes words of any length. */
const LONGEST = 64

/** A query of more words is cut. */
const MOST_WORDS = 32

export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const word = plainWord(found)
    if (word !== '') yield { word, from: index, to: index + found.length }
  }
}

/** All words in order, with spaces between them. */
export function wordsText(text: string): string {
  return Array.from(wordsIn(text), ({ word }) => word).join(' ')
}

function plainWord(found: string): string {
  if (PLAIN.test(found)) return found.slice(0, LONGEST)
  const letters = found.toLowerCase().normalize('NFKD').toLowerCase()
  return letters
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, LONGEST)
    .toWellFormed()
}

/** Every phrase must be found. What stands in quotation marks is one phrase of whole words. */
export function phrasesOf(query: string): readonly Phrase[] {
  const phrases: Phrase[] = []
  let left = MOST_WORDS
  for (const [, quoted, bare] of query.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const words = Array.from(wordsIn(quoted ?? bare ?? ''), ({ word }) => word).slice(0, left)
    left -= words.length
    if (words.length > 0) phrases.push({ words, isPrefix: quoted === undefined })
  }
  return phrases
}

/** A part of a text around what was found in it. `marks` are the found parts of the excerpt. */
export interface Excerpt {
  readonly text: string
  readonly marks: readonly (readonly [from: number, to: number])[]
}

const EXCERPT = 200
/** How much of an excerpt stands in front of the first mark. */
const BEFORE = 60

/** Undefined if a phrase is not in the text. */
export function excerptOf(text: string, phrases: readonly Phrase[]): Excerpt | undefined {
  const words = [...wordsIn(text)]
  const found = phrases.map((phrase) => spansOf(words, phrase))
  if (found.length === 0 || found.some((spans) => spans.length === 0)) return undefined
  const spans = found.flat().toSorted(([one], [other]) => one - other)
  const first = spans[0]?.[0] ?? 0
  const from = first <= BEFORE ? 0 : startOf(text, words, first - BEFORE)
  const to = Math.min(text.length, from + EXCERPT)
  const lead = from > 0 ? '…' : ''
  const shift = lead.length - from
  const inside = spans.filter(([start, end]) => start >= from && end <= to)
  const excerpt = `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  return { text: excerpt.toWellFormed(), marks: inside.map(([start, end]) => [start + shift, end + shift]) }
}

/** The first word that begins behind a position, so that no excerpt begins in a word. */
const startOf = (text: string, words: readonly Word[], position: number): number =>
  words.find(({ from }) => from >= position)?.from ?? Math.min(position, text.length)

function spansOf(text: readonly Word[], { words, isPrefix }: Phrase): readonly (readonly [number, number])[] {
  const last = words.length - 1
  const fits = (at: number) =>
    words.every((word, nth) => {
      const candidate = text[at + nth]?.word
      return nth === last && isPrefix ? candidate?.startsWith(word) : candidate === word
    })
  return text.flatMap(({ from }, at) => (fits(at) ? [[from, (text[at + last] as Word).to] as const] : []))
}
