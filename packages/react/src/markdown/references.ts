/** A footnote: its number by the order of its first mention, and its text. */
export interface Footnote {
  readonly label: string
  readonly number: number
  readonly text: string
}

/** Blocks that can be drawn one by one, though they speak of each other. */
export interface Document {
  /** Each with the definitions that it needs before it: a definition draws nothing. */
  readonly blocks: readonly string[]
  readonly footnotes: readonly Footnote[]
}

const DEFINITION = /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.)+)\]:[ \t]*\S.*$/gm
const FOOTNOTE = /^ {0,3}\[\^([^[\]\s]+)\]:[ \t]?([\s\S]*)$/
const FOOTNOTE_START = /^(?= {0,3}\[\^[^[\]\s]+\]:)/m
const MENTION = /\[\^([^[\]\s]+)\]/g

export function resolveReferences(blocks: readonly string[]): Document {
  const whole = blocks.some((block) => block.includes(']:'))
  if (!whole) return { blocks, footnotes: [] }
  const definitions = definitionsIn(blocks)
  const notes = new Map<string, string>()
  const flow = blocks.map((block) => (isCode(block) ? block : takeNotes(block, notes)))
  const footnotes = numbered(flow, notes)
  return { blocks: flow.map((block) => needed(block, definitions, footnotes) + block), footnotes }
}

/** By label, in small letters; the first one counts. */
function definitionsIn(blocks: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const block of blocks) {
    if (isCode(block)) continue
    for (const [line, label = ''] of block.matchAll(DEFINITION)) {
      if (!found.has(normal(label))) found.set(normal(label), line.trim())
    }
  }
  return found
}

/** Footnotes leave the flow: they stand below the text. */
function takeNotes(block: string, notes: Map<string, string>): string {
  const [flow = '', ...definitions] = block.split(FOOTNOTE_START)
  const isNoted = FOOTNOTE.test(flow)
  for (const definition of isNoted ? [flow, ...definitions] : definitions) {
    const [, label = '', text = ''] = FOOTNOTE.exec(definition) ?? []
    if (!notes.has(normal(label))) notes.set(normal(label), text.replace(/^ {4}/gm, '').trim())
  }
  return isNoted ? '' : flow
}

function numbered(flow: readonly string[], notes: ReadonlyMap<string, string>): readonly Footnote[] {
  const labels = new Set<string>()
  for (const block of flow) for (const [, label = ''] of block.matchAll(MENTION)) labels.add(normal(label))
  return [...labels]
    .filter((label) => notes.has(label))
    .map((label, index) => ({ label, number: index + 1, text: notes.get(label) ?? '' }))
}

function needed(block: string, definitions: ReadonlyMap<string, string>, footnotes: readonly Footnote[]): string {
  if (isCode(block)) return ''
  const mentioned = new Set([...block.matchAll(/\[([^[\]]+)\]/g)].map(([, label = '']) => normal(label)))
  const links = [...definitions].filter(([label]) => mentioned.has(label)).map(([, line]) => line)
  const notes = footnotes.filter(({ label }) => mentioned.has(`^${label}`)).map(({ label }) => `[^${label}]: .`)
  const lines = [...links, ...notes]
  return lines.length === 0 ? '' : `${lines.join('\n\n')}\n\n`
}

function isCode(block: string): boolean {
  return /^ {0,3}(?:`{3}|~{3})/.test(block)
}

function normal(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase()
}
