import { deepStrictEqual } from 'node:assert'
import type { StreamEvent } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import { sseFrame } from '@millrace/core/wire/sse-frames'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Content } from '@millrace/testkit/content'
import type { WatchedWire } from '../facts.ts'
import { publicHalf } from '../public/agent-event.ts'
import { readAgentEvents } from '../readers/agent-event.ts'

export const facts: WatchedWire = {
  viewer: { by: 'sse', cuts: 3 },
  ends: ({ type }) => type === 'final' || type === 'error',
  publicHalf,
  streamsText: 'always',
  client: async (chunks) => contentOf(chunks),
}

interface Marks {
  readonly before?: readonly StreamEvent[]
  readonly instead?: readonly StreamEvent[]
  readonly blockId?: string
  readonly agentId?: string
  readonly json?: boolean
}

interface Piece {
  readonly kind: 'text' | 'reasoning' | 'tool'
  text: string
  tool?: { name: string; input?: Json; output?: Json }
}

type ChunkFields = { readonly [field: string]: string }

/**
 * The content that the client shows. The fields under `millrace` separate it by block, order of start and subagent. The
 * assertion compares it with what the independent client shows.
 */
function contentOf(chunks: readonly Chunk[]): Content {
  const page = readAgentEvents(chunks.map((chunk, index) => sseFrame(chunk, `1.${index}`)).join(''))
  const pieces = new Map<string, Piece>()
  const shown = { thoughts: [] as string[], bubble: '', cards: 0 }
  let current = ''

  const begin = (event: StreamEvent): void => {
    if (event.type === 'block-start') pieces.set(`block ${event.blockId}`, { kind: event.kind, text: '' })
    if (event.type === 'block-start' && event.kind === 'text' && event.agentId === undefined) current = event.blockId
    if (event.type === 'tool-start') pieces.set(`call ${event.callId}`, { kind: 'tool', text: '' })
  }
  const add = (blockId: string, text: string): void => {
    const piece = pieces.get(`block ${blockId}`)
    if (piece === undefined) throw new Error(`Block ${blockId} has not begun.`)
    piece.text += text
  }
  const toolOf = (callId: string, name: string) => {
    const piece: Piece = pieces.get(`call ${callId}`) ?? { kind: 'tool', text: '' }
    pieces.set(`call ${callId}`, piece)
    piece.tool ??= { name }
    return piece.tool
  }
  const readers: { readonly [type: string]: (fields: ChunkFields, marks: Marks) => void } = {
    stream({ content = '' }, { blockId = current, agentId }) {
      add(blockId, content)
      if (agentId === undefined) current = blockId
    },
    thought: ({ content = '' }, { blockId = '' }) => add(blockId, content),
    tool_call: ({ callId = '', toolName = '', toolArgs = '' }) => addInput(toolOf(callId, toolName), toolArgs),
    tool_result({ callId = '', toolName = '', output = '' }, { json }) {
      toolOf(callId, toolName).output = json ? (JSON.parse(output) as Json) : output
    },
  }

  for (const chunk of chunks) {
    const marks = (chunk.millrace ?? {}) as Marks
    for (const event of marks.before ?? []) begin(event)
    if (chunk.type === 'stream') shown.bubble += String(chunk.content)
    if (chunk.type === 'thought') shown.thoughts.push(String(chunk.content))
    if (chunk.type === 'tool_call') shown.cards++
    const fields = (marks.agentId === undefined ? chunk : nested(chunk)) as ChunkFields
    // What the deltas have said: that they are replaced is compared in the public half.
    for (const event of marks.instead ?? []) if (event.type === 'block-delta') add(event.blockId, event.text)
    const isInput = marks.instead?.some(({ type }) => type === 'tool-input')
    if (marks.instead === undefined || isInput) readers[fields.type ?? '']?.(fields, marks)
  }
  deepStrictEqual([page.thoughts, page.bubble, page.cards.length], [shown.thoughts, shown.bubble, shown.cards])
  return sorted([...pieces.values()])
}

/** The content of a subagent in the progress of a call. */
function nested({ type, data }: Chunk): object {
  if (type !== 'tool_progress') throw new Error(`A subagent's content is in a ${String(type)}.`)
  if (typeof data === 'string') return { type: 'stream', content: data }
  const { subtype, ...fields } = data as ChunkFields
  return { ...fields, type: subtype }
}

function addInput(tool: { input?: Json }, toolArgs: string): void {
  try {
    tool.input = JSON.parse(toolArgs) as Json
  } catch {
    // Arguments that are not JSON are not an input; they are shown as text.
  }
}

function sorted(pieces: readonly Piece[]): Content {
  const textsOf = (kind: string) => pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : []))
  return {
    texts: textsOf('text'),
    reasonings: textsOf('reasoning'),
    tools: pieces.flatMap(({ tool }) => (tool === undefined ? [] : [tool])),
  }
}
