import type { ExtractFrom } from './extract.ts'

interface Piece {
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'tool'
  readonly key?: string
  id?: string | undefined
  name: string
  said: string
  readonly isFreeText?: boolean
}

interface Spoken {
  readonly pieces: Piece[]
  isFinished: boolean
}

/**
 * Reads each choice of each response on its own. A response that is over and speaks under another id is another one; so
 * is one whose role is given anew.
 */
export const extract: ExtractFrom = (values) => {
  const all: Spoken[] = []
  let response = new Map<number, Spoken>()
  let id: string | undefined
  let hadRole = false
  let isCounted = false
  for (const value of values as readonly Chunk[]) {
    const isOver = isCounted || [...response.values()].some(({ isFinished }) => isFinished)
    const choices = Array.isArray(value?.choices) ? value.choices : []
    const isOther = value?.id !== id || id === ''
    const hasRole = choices.some(({ delta, message }) => delta?.role ?? (isOther && message?.role))
    const isAnnounced =
      hasRole && !hadRole && (isOver || (isOther && id !== '')) && response.has(choices[0]?.index ?? 0)
    if (isAnnounced || (isOver && isOther && choices.some(speaks))) {
      response = new Map()
      isCounted = false
    }
    if (value?.usage && choices.length === 0 && response.size > 0) isCounted = true
    if (choices.length > 0) {
      id = value.id ?? ''
      hadRole = hasRole
    }
    for (const choice of choices) {
      const spoken = response.get(choice.index ?? 0) ?? { pieces: [], isFinished: false }
      if (!response.has(choice.index ?? 0)) all.push(spoken)
      response.set(choice.index ?? 0, spoken)
      const isRepeated = !choice.delta && choice.message && spoken.pieces.length > 0
      if (isRepeated) spoken.pieces.splice(0)
      read(spoken.pieces, choice)
      if (choice.finish_reason) spoken.isFinished = true
    }
  }
  const pieces = all.flatMap((spoken) => spoken.pieces)
  const isCut = !isCounted && all.at(-1)?.isFinished === false
  const said = (...kinds: readonly string[]) =>
    pieces.filter(({ kind, said }) => kinds.includes(kind) && said !== '').map((piece) => piece.said)
  return {
    text: said('text', 'refusal'),
    reasoning: said('reasoning'),
    tools: pieces
      .filter(({ kind, name }) => kind === 'tool' && name !== '')
      .map((tool) => ({ name: tool.name, input: tool.said === '' && isCut ? '' : inputOf(tool) })),
  }
}

interface Chunk {
  readonly id?: string
  readonly choices?: readonly Choice[]
  readonly usage?: unknown
}

interface Choice {
  readonly index?: number
  readonly finish_reason?: string | null
  readonly text?: string
  readonly delta?: Delta | null
  readonly message?: Delta | null
}

interface Delta {
  readonly role?: string
  readonly content?: string | readonly Part[] | null
  readonly refusal?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly reasoning_text?: string | null
  readonly thinking?: string | null
  readonly reasoning_steps?: readonly { readonly thought: string }[]
  readonly extra_content?: { readonly google?: { readonly thought?: boolean } } | null
  readonly reasoning_details?: readonly { readonly text?: string; readonly summary?: string }[] | null
  readonly tool_calls?: readonly Call[] | null
  readonly function_call?: Called | null
  readonly executed_tools?: readonly { index?: number; type: string; name?: string; arguments: unknown }[]
  readonly audio?: { readonly transcript?: string } | null
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly refusal?: string
  readonly thinking?: string | readonly { readonly text?: string }[]
}

interface Called {
  readonly name?: string | null
  readonly arguments?: unknown
  readonly input?: string | null
}

interface Call {
  readonly index?: number
  readonly id?: string | null
  readonly function?: Called
  readonly custom?: Called
}

function speaks({ text, delta, message }: Choice): boolean {
  const said = delta ?? message
  const { content, tool_calls, function_call } = said ?? {}
  return [text, content, tool_calls, function_call, said && reasoningOf(said)].some((part) =>
    part ? part !== '' : false,
  )
}

function read(pieces: Piece[], { text, delta, message }: Choice): void {
  const said: Delta = delta ?? message ?? {}
  prose(pieces, 'reasoning', reasoningOf(said))
  const isThought = said.extra_content?.google?.thought
  if (typeof said.content === 'string') prose(pieces, isThought ? 'reasoning' : 'text', said.content)
  else if (Array.isArray(said.content)) for (const part of said.content) readPart(pieces, part)
  if (!delta && !message) prose(pieces, 'text', text ?? '')
  prose(pieces, 'text', said.audio?.transcript ?? '')
  prose(pieces, 'refusal', said.refusal ?? '')
  for (const call of said.tool_calls ?? []) readCall(pieces, call)
  if (said.function_call) readCall(pieces, { index: -1, function: said.function_call })
  for (const tool of said.executed_tools ?? []) {
    const key = `executed ${tool.index}`
    if (pieces.some((piece) => piece.key === key)) continue
    pieces.push({ kind: 'tool', key, name: tool.name ?? tool.type, said: textOf(tool.arguments) })
  }
}

function reasoningOf(said: Delta): string {
  const { reasoning_details, reasoning_content, reasoning, reasoning_text, thinking, reasoning_steps } = said
  const detailed = (reasoning_details ?? []).map(({ text, summary }) => text ?? summary ?? '').join('')
  const steps = (reasoning_steps ?? []).map(({ thought }) => thought).join('')
  return detailed || reasoning_content || reasoning || reasoning_text || thinking || steps
}

function readPart(pieces: Piece[], { type, text, refusal, thinking }: Part): void {
  if (type === 'text') prose(pieces, 'text', text ?? '')
  if (type === 'refusal') prose(pieces, 'refusal', refusal ?? '')
  if (type !== 'thinking') return
  const thought = typeof thinking === 'string' ? thinking : (thinking ?? []).map((part) => part.text ?? '').join('')
  prose(pieces, 'reasoning', thought)
}

/** What follows on what is of its kind belongs to it. */
function prose(pieces: Piece[], kind: Piece['kind'], said: string): void {
  if (said === '') return
  const last = pieces.at(-1)
  if (last?.kind === kind) last.said += said
  else pieces.push({ kind, name: '', said })
}

function readCall(pieces: Piece[], call: Call): void {
  const { name, arguments: given, input } = call.function ?? call.custom ?? {}
  const said = textOf(given ?? input)
  const isSame = ({ key, id }: Piece) => {
    if (call.index !== undefined) return key === String(call.index) && !(name && id && call.id && id !== call.id)
    return call.id ? id === call.id : !name
  }
  const before = pieces.filter(({ kind }) => kind === 'tool').findLast(isSame)
  if (before === undefined) {
    const isFreeText = call.custom !== undefined
    const place = { key: String(call.index), id: call.id ?? undefined }
    pieces.push({ kind: 'tool', ...place, name: name ?? '', said, isFreeText })
    return
  }
  if (before.said === '' && name && name !== before.name) before.name += name
  before.id ??= call.id ?? undefined
  before.said += said
}

function textOf(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? '').replace(/^""$/, '')
}

function inputOf({ said, isFreeText }: Piece): unknown {
  if (isFreeText) return said
  if (said.trim() === '') return {}
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}
