import type { ExtractFrom } from './extract.ts'

/** A piece of one answer: prose that goes on as long as its kind does, or a call. */
type Piece =
  | { readonly kind: 'text' | 'reasoning'; text: string }
  | { readonly kind: 'call'; readonly name: string; input: unknown; isOpen: boolean }
  | { readonly kind: 'other' }

export const extract: ExtractFrom = (values) => {
  /** Per response, per answer. */
  const answers: Piece[][][] = []
  let id: string | undefined
  let isFinished = false
  let prompt: unknown
  for (const value of values.flatMap(unwrapped)) {
    const parts = value.candidates?.flatMap(({ content }) => content?.parts ?? []) ?? []
    const asks = value.usageMetadata?.promptTokenCount
    const isAnother =
      value.responseId && id ? value.responseId !== id : isFinished && asks !== undefined && asks !== prompt
    if (answers.length === 0 || (isAnother && parts.some((part) => !part.functionResponse))) {
      answers.push([])
      isFinished = false
      id = undefined
    }
    id = value.responseId ?? id
    prompt = value.usageMetadata?.promptTokenCount ?? prompt
    for (const { index, content, finishReason } of value.candidates ?? []) {
      const response = answers.at(-1) ?? []
      const pieces = response[index ?? 0] ?? []
      response[index ?? 0] = pieces
      for (const part of content?.parts ?? []) read(part, pieces)
      if (finishReason) isFinished = true
    }
  }
  const pieces = answers.flatMap((response) => response.flat())
  const prose = (kind: 'text' | 'reasoning') => pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : []))
  return {
    text: prose('text').filter((text) => text !== ''),
    reasoning: prose('reasoning').filter((text) => text !== ''),
    tools: pieces.flatMap((piece) => (piece.kind === 'call' ? [{ name: piece.name, input: piece.input }] : [])),
  }
}

interface Value {
  readonly responseId?: string
  readonly usageMetadata?: { readonly promptTokenCount?: number }
  readonly candidates?: readonly {
    readonly index?: number
    readonly finishReason?: string
    readonly content?: { readonly parts?: readonly RawPart[] }
  }[]
}

interface RawPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: {
    readonly name?: string
    readonly args?: unknown
    readonly willContinue?: boolean
    readonly partialArgs?: readonly { readonly jsonPath: string; readonly [value: string]: unknown }[]
  }
  readonly executableCode?: { readonly language?: string; readonly code?: string }
  readonly toolCall?: { readonly toolType?: string; readonly args?: unknown }
  readonly [other: string]: unknown
}

/** Envelopes and arrays taken off, nothing that is `null`, and names as the wire spells them. */
function unwrapped(value: unknown): Value[] {
  if (Array.isArray(value)) return value.flatMap(unwrapped)
  if (typeof value !== 'object' || value === null) return []
  return [spelt('response' in value ? value.response : value) as Value]
}

function spelt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelt)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(
    fields.map(([key, inner]) => [
      key.replaceAll(/_(.)/g, (_part, letter: string) => letter.toUpperCase()),
      key === 'args' ? inner : spelt(inner),
    ]),
  )
}

function read(part: RawPart, pieces: Piece[]): void {
  const last = pieces.at(-1)
  const { text, thought, functionCall: call, executableCode: code, toolCall, thoughtSignature } = part
  if (call) readCall(call, pieces)
  else if (code)
    pieces.push({
      kind: 'call',
      name: 'code_execution',
      input: JSON.parse(JSON.stringify({ language: code.language, code: code.code })),
      isOpen: false,
    })
  else if (toolCall)
    pieces.push({
      kind: 'call',
      name: toolCall.toolType?.toLowerCase() ?? 'tool',
      input: toolCall.args ?? {},
      isOpen: false,
    })
  else if (text !== undefined || thoughtSignature !== undefined) {
    const kind = thought ? 'reasoning' : 'text'
    if (!text && !thoughtSignature) return
    if (last?.kind === kind) last.text += text ?? ''
    else pieces.push({ kind, text: text ?? '' })
  } else if (
    part.inlineData ||
    part.fileData ||
    part.functionResponse ||
    part.codeExecutionResult ||
    part.toolResponse
  ) {
    pieces.push({ kind: 'other' })
  }
}

function readCall(call: NonNullable<RawPart['functionCall']>, pieces: Piece[]): void {
  const { name, args, partialArgs, willContinue } = call
  if (name) pieces.push({ kind: 'call', name, input: args ?? {}, isOpen: true })
  const open = pieces.findLast((piece) => piece.kind === 'call')
  if (open === undefined || !open.isOpen) return
  const held = { value: open.input }
  for (const { jsonPath, willContinue: _more, ...value } of partialArgs?.filter((piece) =>
    piece.jsonPath.startsWith('$'),
  ) ?? [])
    assign(held, jsonPath, 'nullValue' in value ? null : Object.values(value)[0])
  open.input = held.value
  if (!willContinue) open.isOpen = false
}

/** `$.a[0].b` read as `.a.0.b`; text adds to the text that is there, as every piece of it comes once. */
function assign(held: { value: unknown }, jsonPath: string, value: unknown): void {
  const keys = [
    'value',
    ...jsonPath
      .slice(1)
      .split(/\.|\[['"]?|['"]?\]/)
      .filter((key) => key !== ''),
  ]
  let target = held as Record<string, unknown>
  for (const [index, key] of keys.slice(0, -1).entries()) {
    if (typeof target[key] !== 'object') target[key] = /^\d+$/.test(keys[index + 1] ?? '') ? [] : {}
    target = target[key] as Record<string, unknown>
  }
  const key = keys.at(-1) ?? ''
  const before = target[key]
  target[key] = typeof before === 'string' && typeof value === 'string' ? before + value : value
}
