import type { EntryMaker } from '@millrace/core/events'
import type { LoggedInput } from '../log.ts'
import { MOST_CHARACTERS } from './entry-rows.ts'

/**
 * How inputs are stored: a page is a line of heads, then the texts that the heads describe. Two pages behind each other
 * are one page, so that pages are joined without being read.
 */

const MOST_INPUTS = 500

/** An escaped text is a producer's, as JSON: UTF-8 cannot express it, or SQL would end it early. */
const makers = ['producer', 'escaped', 'server', 'client'] as const
type Maker = (typeof makers)[number]

type Head = readonly [maker: number, length: number, name?: string]

/** Inputs of one append that are stored together. */
export interface InputSlice {
  readonly count: number
  readonly page: string
}

export function inputSlicesOf(inputs: readonly LoggedInput[]): InputSlice[] {
  const slices: InputSlice[] = []
  let heads: Head[] = []
  let texts: string[] = []
  let characters = 0
  const flush = () => {
    if (heads.length > 0) slices.push({ count: heads.length, page: `${JSON.stringify(heads)}\n${texts.join('')}` })
    heads = []
    texts = []
    characters = 0
  }
  for (const input of inputs) {
    const [maker, text] = encoded(input)
    if (heads.length >= MOST_INPUTS || characters + text.length > MOST_CHARACTERS) flush()
    const head = [makers.indexOf(maker), text.length] as const
    heads.push(input.by === 'producer' && input.name !== undefined ? [...head, input.name] : head)
    texts.push(text)
    characters += text.length
  }
  flush()
  return slices
}

function encoded(input: LoggedInput): readonly [Maker, string] {
  if (input.by !== 'producer') return [input.by, JSON.stringify(input.event)]
  const { text } = input
  return text.isWellFormed() && !text.includes('\0') ? ['producer', text] : ['escaped', JSON.stringify(text)]
}

export function inputsIn(page: string): LoggedInput[] {
  const inputs: LoggedInput[] = []
  let at = 0
  while (at < page.length) {
    const end = page.indexOf('\n', at)
    const heads = JSON.parse(page.slice(at, end)) as Head[]
    at = end + 1
    for (const [maker, length, name] of heads) {
      inputs.push(decoded(makers[maker] as Maker, page.slice(at, at + length), name))
      at += length
    }
  }
  return inputs
}

function decoded(maker: Maker, text: string, name: string | undefined): LoggedInput {
  if (maker === 'producer') return { by: maker, text, name }
  if (maker === 'escaped') return { by: 'producer', text: JSON.parse(text) as string, name }
  return { by: maker satisfies EntryMaker, event: JSON.parse(text) }
}
