import type { ExtractFrom } from './extract.ts'

interface Piece {
  readonly kind: 'text' | 'reasoning' | 'tool'
  readonly id: string
  readonly name: string
  text: string
}

interface Value {
  readonly type?: string
  readonly messageId?: string | null
  readonly message_id?: string
  readonly toolCallId?: string | null
  readonly toolCallName?: string
  readonly tool_call_id?: string
  readonly tool_call_name?: string
  readonly delta?: unknown
  readonly title?: string
  readonly messages?: readonly Message[]
  readonly input?: { readonly messages?: readonly Message[] } | null
}

interface Message {
  readonly id?: string
  readonly role?: string
  readonly content?: unknown
  readonly toolCalls?: readonly Call[]
  readonly tool_calls?: readonly Call[]
}

interface Call {
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: unknown }
}

/** Pieces in the order of their starts. An id that is used again starts a new piece. */
export const extract: ExtractFrom = (values) => {
  const pieces: Piece[] = []
  const open = new Map<string, Piece>()
  const ended = new Set<Piece>()
  let chunk: string | undefined
  let thoughts = 0
  /** The id of a delta that has none. */
  let named: string | undefined

  function begin(kind: Piece['kind'], id: string, name = ''): Piece {
    const key = `${kind} ${id}`
    const before = open.get(key)
    if (before !== undefined) return before
    const piece = { kind, id, name, text: '' }
    pieces.push(piece)
    open.set(key, piece)
    return piece
  }

  function close(): void {
    if (chunk !== undefined && !chunk.startsWith('tool ')) open.delete(chunk)
    chunk = undefined
  }

  function chunked(kind: Piece['kind'], id: string | undefined, name: string | undefined, delta: unknown): void {
    if (id === undefined && delta === undefined) return
    if (chunk === undefined || !chunk.startsWith(`${kind} `) || (id !== undefined && chunk !== `${kind} ${id}`)) {
      close()
      const { id: newId } = begin(kind, id ?? `chunk ${pieces.length}`, name)
      chunk = `${kind} ${newId}`
    }
    const piece = open.get(chunk)
    if (piece !== undefined) piece.text += typeof delta === 'string' ? delta : ''
  }

  for (const value of values as readonly Value[]) {
    const type = value?.type ?? ''
    const givenId = value?.messageId ?? value?.message_id
    if (/_START$/.test(type) && /^(TEXT|REASONING)_MESSAGE/.test(type)) named = givenId ?? `unnamed ${pieces.length}`
    if (type === 'TEXT_MESSAGE_CONTENT' && givenId === undefined) named ??= `unnamed ${pieces.length}`
    const id = givenId ?? (/_MESSAGE_(START|CONTENT|END)$/.test(type) ? named : undefined)
    if (givenId !== undefined && givenId !== null && /_MESSAGE_CONTENT$/.test(type)) named = givenId
    const call = value?.toolCallId ?? value?.tool_call_id
    const name = value?.toolCallName ?? value?.tool_call_name ?? 'unknown'
    const delta = typeof value?.delta === 'string' ? value.delta : ''
    if (type === 'TEXT_MESSAGE_CHUNK') chunked('text', id, '', value.delta)
    else if (type === 'REASONING_MESSAGE_CHUNK') chunked('reasoning', id, '', value.delta)
    else if (type === 'TOOL_CALL_CHUNK') chunked('tool', call, name, value.delta)
    else if (/^(RUN|STEP|TEXT|TOOL|REASONING_(START|END|MESSAGE)|THINKING|MESSAGES|SUBAGENT)/.test(type)) close()

    if (type === 'TEXT_MESSAGE_START' && id !== undefined) begin('text', id)
    if (type === 'TEXT_MESSAGE_CONTENT' && id !== undefined) begin('text', id).text += delta
    if (type === 'TEXT_MESSAGE_END') {
      open.delete(`text ${id}`)
      if (id === named) named = undefined
    }
    if (type === 'REASONING_MESSAGE_START' && id !== undefined) begin('reasoning', id)
    if (type === 'REASONING_MESSAGE_CONTENT' && id !== undefined) begin('reasoning', id).text += delta
    if (type === 'REASONING_MESSAGE_END' || type === 'REASONING_END') open.delete(`reasoning ${id}`)
    if (type === 'THINKING_TEXT_MESSAGE_START' || type === 'THINKING_START') thoughts++
    if (type === 'THINKING_TEXT_MESSAGE_CONTENT' || type === 'THINKING_CONTENT')
      begin('reasoning', `thought ${thoughts}`).text += delta
    if (type === 'TOOL_CALL_START' && call !== undefined && call !== null) begin('tool', call, name)
    const called = type === 'TOOL_CALL_ARGS' ? open.get(`tool ${call}`) : undefined
    // A call that is sent again before its result is the same call and already has its input.
    if (called !== undefined && !ended.has(called)) called.text += delta
    const over = open.get(`tool ${call}`)
    if (type === 'TOOL_CALL_END' && over !== undefined && over.text !== '') ended.add(over)
    if (type === 'TOOL_CALL_RESULT') open.delete(`tool ${call}`)
    if (type === 'MESSAGES_SNAPSHOT' && Array.isArray(value.messages)) addSnapshot(pieces, value.messages)
    if (type === 'RUN_STARTED') addInput(pieces, value.input?.messages ?? [])
  }
  const prose = (kind: Piece['kind']) =>
    pieces.filter((piece) => piece.kind === kind && piece.text !== '').map((piece) => piece.text)
  return {
    text: prose('text'),
    reasoning: prose('reasoning'),
    tools: pieces.flatMap(({ kind, name, text }) => (kind === 'tool' ? [{ name, input: inputOf(text) }] : [])),
  }
}

/** Adds only what was not streamed: everything if nothing was streamed, else what follows the user's last message. */
function addSnapshot(pieces: Piece[], messages: readonly Message[]): void {
  const streamed = pieces.slice()
  const unmatched = pieces.slice()
  const ids = new Set(
    messages.flatMap(({ id, tool_calls = [], toolCalls = tool_calls }) => [id, ...toolCalls.map(({ id }) => id)]),
  )
  /** Each piece is repeated once: by id, else by content. */
  const isStreamed = (kind: Piece['kind'], id: string | undefined, name: string, text: string) => {
    const isSame = (piece: Piece) =>
      piece.name === name && squeezed(piece.text) === squeezed(text) && text.trim() !== ''
    const found =
      unmatched.find((piece) => piece.kind === kind && piece.id === id) ??
      unmatched.find((piece) => piece.kind === kind && !ids.has(piece.id) && isSame(piece))
    if (found !== undefined) unmatched.splice(unmatched.indexOf(found), 1)
    return found !== undefined
  }
  const added: (readonly [index: number, piece: Piece])[] = []
  let first = -1
  for (const [index, { id = '', role, content, tool_calls = [], toolCalls = tool_calls }] of messages.entries()) {
    const kind = role === 'reasoning' ? 'reasoning' : 'text'
    const text = role === 'tool' || role === 'activity' ? '' : textOf(content)
    const isRepeated = text !== '' && isStreamed(kind, id, '', text)
    if (isRepeated) {
      const piece = streamed.find((piece) => piece.kind === kind && piece.id === id)
      if (piece !== undefined && piece.text.trim() !== text.trim()) piece.text = text
    }
    if (text !== '' && !isRepeated) added.push([index, { kind, id, name: '', text }])
    if (isRepeated && first === -1) first = index
    for (const { id: callId = '', function: called } of toolCalls) {
      const { name = 'unknown', arguments: input = '' } = called ?? {}
      const inputText = typeof input === 'string' ? input : JSON.stringify(input)
      const isRepeatedCall = isStreamed('tool', callId, name, inputText)
      if (isRepeatedCall && first === -1) first = index
      if (!isRepeatedCall) added.push([index, { kind: 'tool', id: callId, name, text: inputText }])
    }
  }
  const lastOfUser = messages.findLastIndex(({ role }) => role === 'user')
  const from = first !== -1 ? first : streamed.length > 0 ? lastOfUser + 1 : 0
  pieces.push(...added.flatMap(([index, piece]) => (index >= from ? [piece] : [])))
}

function addInput(pieces: Piece[], messages: readonly Message[]): void {
  const last = messages.findLastIndex(({ role }) => role !== 'user' && role !== 'tool')
  for (const { id = '', role, content } of messages.slice(last + 1)) {
    if (role === 'user' && !pieces.some((piece) => piece.id === id))
      pieces.push({ kind: 'text', id, name: '', text: textOf(content) })
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { readonly text?: string }) => part?.text ?? '').join('')
}

const squeezed = (text: string) => text.replaceAll(/\s/g, '')

function inputOf(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
