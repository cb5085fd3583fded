import type { ExtractFrom, Unread } from './extract.ts'

interface Piece {
  readonly kind: 'text' | 'reasoning' | 'tool'
  readonly name: string
  text: string
  given: unknown
  /** The number of deltas, and whether the block stopped after them. */
  deltas: number
  isStopped: boolean
}

const EVENTS = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop']

/** A block that stopped after one word is continued by the next index. */
function before(blocks: Map<number, Piece>, index: number): Piece | undefined {
  const piece = blocks.get(index - 1)
  return piece?.kind === 'text' && piece.isStopped && piece.deltas === 1 ? piece : undefined
}

export const unread: Unread = {
  'bedrock-converse/odd-turns.jsonl': 'Its records are of no documented shape.',
}

export const extract: ExtractFrom = (values) => {
  const pieces: Piece[] = []
  let blocks = new Map<number, Piece>()
  let isStopped = false
  const add = (kind: Piece['kind'], name = '', text = '', given?: unknown): Piece => {
    const piece = { kind, name, text, given, deltas: 0, isStopped: false }
    pieces.push(piece)
    return piece
  }
  for (const value of values) {
    const [event, body] = eventOf(value)
    if (event === 'response') {
      for (const block of body.output?.message.content ?? []) {
        const { text, reasoningContent, citationsContent, toolUse } = block
        if (text !== undefined) add('text', '', text)
        if (citationsContent) add('text', '', citationsContent.content.map((part) => part.text).join(''))
        if (reasoningContent) add('reasoning', '', reasoningContent.reasoningText?.text ?? '')
        if (toolUse) add('tool', toolUse.name, '', toolUse.input)
      }
    }
    if (event === 'messageStart' || (isStopped && event.startsWith('contentBlock'))) blocks = new Map()
    if (event === 'messageStop') isStopped = true
    else if (event !== '') isStopped = false
    const index = body.contentBlockIndex ?? 0
    if (event === 'contentBlockStart' && body.start?.toolUse) blocks.set(index, add('tool', body.start.toolUse.name))
    if (event === 'contentBlockDelta') {
      const { text, reasoningContent, toolUse, citation } = body.delta ?? {}
      const kind = toolUse ? 'tool' : reasoningContent ? 'reasoning' : 'text'
      const isProse = typeof text === 'string' || reasoningContent || citation
      const existing = blocks.get(index) ?? (typeof text === 'string' ? before(blocks, index) : undefined)
      const piece = existing?.kind === kind ? existing : isProse ? add(kind) : undefined
      if (piece === undefined) continue
      if (blocks.get(index) !== piece) piece.deltas = 0
      piece.isStopped = false
      piece.deltas += citation ? 2 : 1
      blocks.set(index, piece)
      if (typeof toolUse?.input === 'object') piece.given = toolUse.input
      else piece.text += text ?? reasoningContent?.text ?? toolUse?.input ?? ''
    }
    const stopped = event === 'contentBlockStop' ? blocks.get(index) : undefined
    if (stopped !== undefined) stopped.isStopped = true
  }
  const prose = (kind: Piece['kind']) =>
    pieces.filter((piece) => piece.kind === kind && piece.text !== '').map(({ text }) => text)
  return {
    text: prose('text'),
    reasoning: prose('reasoning'),
    tools: pieces.filter(({ kind }) => kind === 'tool').map((piece) => ({ name: piece.name, input: inputOf(piece) })),
  }
}

interface Body {
  readonly event?: Body
  readonly type?: string
  readonly role?: string
  readonly stopReason?: string
  readonly contentBlockIndex?: number
  readonly start?: { readonly toolUse?: { readonly name: string } }
  readonly delta?: {
    readonly text?: string
    readonly reasoningContent?: { readonly text?: string }
    readonly toolUse?: { readonly input?: unknown }
    readonly citation?: unknown
  }
  readonly output?: { readonly message: { readonly content: readonly WholeBlock[] } }
}

interface WholeBlock {
  readonly text?: string
  readonly reasoningContent?: { readonly reasoningText?: { readonly text: string } }
  readonly citationsContent?: { readonly content: readonly { readonly text: string }[] }
  readonly toolUse?: { readonly name: string; readonly input: unknown }
}

function eventOf(value: unknown): [string, Body] {
  const outer = (value ?? {}) as Body
  const record = outer.event ?? outer
  const wrapped = record as { readonly [event: string]: Body | undefined }
  const name = EVENTS.find((event) => wrapped[event])
  if (name !== undefined) return [name, wrapped[name] ?? {}]
  if (EVENTS.includes(record.type ?? '')) return [record.type ?? '', record]
  if (record.output?.message) return ['response', record]
  if (record.delta && 'contentBlockIndex' in record) return ['contentBlockDelta', record]
  if (record.start && 'contentBlockIndex' in record) return ['contentBlockStart', record]
  if ('contentBlockIndex' in record) return ['contentBlockStop', record]
  if (record.stopReason) return ['messageStop', record]
  return [record.role ? 'messageStart' : '', record]
}

function inputOf({ text, given }: Piece): unknown {
  if (given !== undefined || text === '') return given ?? {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
