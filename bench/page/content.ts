/** Content of a known size, the same in every run. */

const PARAGRAPH =
  'The wheel turns while the **race** is full; at night the `sluice` is shut, and the [log](https://example.org/log) says when. '

const BLOCKS: readonly ((number: number) => string)[] = [
  (number) => `## Part ${number}\n\n${PARAGRAPH.repeat(3)}\n\n`,
  (number) =>
    `${Array.from({ length: 6 }, (_, row) => `${row + 1}. step ${number}.${row} of the _repair_`).join('\n')}\n\n`,
  (number) =>
    `\`\`\`ts\nexport const turn${number} = (count: number): string => {\n  return \`turn \${count}\` // ${number}\n}\n\`\`\`\n\n`,
  (number) => `| part | state |\n|---|---|\n| wheel ${number} | turns |\n| sluice | shut |\n\n`,
  () => `> ${PARAGRAPH}\n\n`,
]

/** A markdown answer of so many characters. */
export function markdownOf(size: number): string {
  let text = ''
  for (let number = 0; text.length < size; number++) text += BLOCKS[number % BLOCKS.length]?.(number) ?? ''
  return text.slice(0, size)
}

export const chunksOf = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly input: object; readonly output: string }

export interface ContentTurn {
  readonly question: string
  readonly parts: readonly Part[]
}

export const LAST = 'That was the last part.'

/** So many pieces: a question, and texts and calls in turns, twenty to a turn. */
export function turnsOf(pieces: number): readonly ContentTurn[] {
  const perTurn = 20
  return Array.from({ length: Math.ceil(pieces / perTurn) }, (_, turn) => ({
    question: `What about part ${turn}?`,
    parts: Array.from({ length: perTurn - 1 }, (_, index): Part => {
      const isLast = turn === Math.ceil(pieces / perTurn) - 1 && index === perTurn - 2
      if (index % 2 === 0) return { type: 'text', text: isLast ? LAST : `Part ${turn}.${index}. ${PARAGRAPH}` }
      return { type: 'tool', name: 'Read', input: { path: `parts/${turn}/${index}.txt` }, output: `part ${index}\n` }
    }),
  }))
}
