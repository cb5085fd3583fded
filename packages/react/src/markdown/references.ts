/** A footnote: its number by the order of its first mention, and its text. */
export interface Footnote {
  readonly label: string
  readonly number: number
  readonly text: string
}

/** Blocks that can be drawn one by one, although they reference each other. */
export interface Document {
  /** Each after the definitions that it needs: a definition draws nothing. */
  readonly blocks: readonly string[]
  readonly footnotes: readonly Footnote[]
}

const DEFINITION = /^ {0,3}\[(?!\^)((?:[^[\]\\]|\\.)+)\]:[ \t]*\S.*$/gm
const FOOTNOTE = /^ {0,3}\[\^([^[\]\s]+)\]:[ \t]?([\s\S]*)$/
const FOOTNOTE_START = /^(?= {0,3}\[\^[^[\]\s]+\]:)/m
const MENTION = /\[\^([^[\]\s]+)\]/g

export function resolveReferences(blocks: readonly string[]): Document {
  const hasDefinitions = blocks.some((block) => block.includes(']:'))
  if (!hasDefinitions) return { blocks, footnotes: [] }
  const definitions = definitionsIn(blocks)
  const notes = new Map<string, string>()
  const flow = blocks.map((block) => (isCode(block) ? block : takeNotes(block, notes)))
  const footnotes = numbered(flow, notes)
  const labels = new Set(footnotes.map(({ label }) => label))
  return { blocks: flow.map((block) => withDefinitions(block, definitions, labels)), footnotes }
}

/** By label, in lower case; the first one counts. */
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

/** Removes the footnotes from the block: they are drawn below the text. */
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

/** The block after the definitions that it mentions. A block of definitions only draws nothing, so it becomes empty. */
function withDefinitions(
  block: string,
  definitions: ReadonlyMap<string, string>,
  footnotes: ReadonlySet<string>,
): string {
  if (isCode(block)) return block
  if (block.includes(']:') && block.replace(DEFINITION, '').trim() === '') return ''
  const mentioned = new Set([...block.matchAll(/\[([^[\]]+)\]/g)].map(([, label = '']) => normal(label)))
  const lines = [...mentioned].flatMap((label) => {
    if (label.startsWith('^')) return footnotes.has(label.slice(1)) ? [`[${label}]: .`] : []
    return definitions.get(label) ?? []
  })
  return lines.length === 0 ? block : `${lines.join('\n\n')}\n\n${block}`
}

function isCode(block: string): boolean {
  return /^ {0,3}(?:`{3}|~{3})/.test(block)
}

function normal(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase()
}
