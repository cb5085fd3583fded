import type { ExtractFrom, Unread } from './extract.ts'

interface Piece {
  readonly type: string
  readonly name?: string
  readonly initial: unknown
  streamed: string
}

export const unread: Unread = {
  'anthropic-messages/joined-late.jsonl': 'Blocks without a start are not documented.',
  'anthropic-messages/odd-blocks.jsonl': 'Inputs that are no objects are not documented.',
  'anthropic-messages/odd-deltas.jsonl': 'Deltas that do not fit their blocks are not documented.',
}

export const extract: ExtractFrom = (values) => {
  const pieces: Piece[] = []
  let current = new Map<number, Piece>()
  for (const value of values as readonly Value[]) {
    if (value?.type === 'message_start' || value?.type === 'message') {
      current = new Map()
      const message = value.type === 'message' ? value : value.message
      for (const block of message?.content ?? []) pieces.push(pieceOf(block))
    }
    if (value?.type === 'content_block_start' && value.content_block !== undefined) {
      const piece = pieceOf(value.content_block)
      pieces.push(piece)
      current.set(value.index ?? 0, piece)
    }
    if (value?.type === 'content_block_delta') {
      const piece = current.get(value.index ?? 0)
      const { text, thinking, partial_json } = value.delta ?? {}
      if (piece !== undefined) piece.streamed += text ?? thinking ?? partial_json ?? ''
    }
  }
  return {
    text: prose(pieces, 'text'),
    reasoning: prose(pieces, 'thinking'),
    tools: pieces
      .filter((piece) => piece.name !== undefined)
      .map((piece) => ({ name: piece.name ?? '', input: inputOf(piece) })),
  }
}

interface Value {
  readonly type?: string
  readonly index?: number
  readonly message?: { readonly content?: readonly RawBlock[] }
  readonly content?: readonly RawBlock[]
  readonly content_block?: RawBlock
  readonly delta?: { readonly text?: string; readonly thinking?: string; readonly partial_json?: string }
}

interface RawBlock {
  readonly type: string
  readonly name?: string
  readonly text?: string
  readonly thinking?: string
  readonly input?: unknown
}

const CALLS = ['tool_use', 'server_tool_use', 'mcp_tool_use']

function pieceOf(block: RawBlock): Piece {
  const named = CALLS.includes(block.type) && block.name !== undefined ? { name: block.name } : {}
  return { type: block.type, ...named, initial: block.text ?? block.thinking ?? block.input, streamed: '' }
}

function prose(pieces: readonly Piece[], type: string): string[] {
  const texts = pieces.filter((piece) => piece.type === type).map((piece) => `${piece.initial ?? ''}${piece.streamed}`)
  return texts.filter((text) => text !== '')
}

function inputOf({ initial: given, streamed }: Piece): unknown {
  if (streamed === '') return given ?? {}
  try {
    return JSON.parse(streamed)
  } catch {
    return streamed
  }
}
