import type { ExtractFrom, Unread } from './extract.ts'

export const unread: Unread = {
  'gemini/story-of-the-mills.jsonl': 'it has parts of no documented shape',
}

/** An item of one answer: prose of one kind, or a call. */
type Item =
  | { readonly kind: 'text' | 'reasoning'; text: string }
  | { readonly kind: 'call'; readonly id?: string | undefined; readonly name: string; input: unknown; isOpen: boolean }
  | { readonly kind: 'other' }

export const extract: ExtractFrom = (values) => {
  /** By response, then by answer. */
  const answers: Item[][][] = []
  let id: string | undefined
  let isFinished = false
  let prompt: unknown
  for (const value of values.flatMap(unwrapped)) {
    const parts = value.candidates?.flatMap(({ content }) => content?.parts ?? []) ?? []
    const promptTokens = value.usageMetadata?.promptTokenCount
    const isAnother =
      value.responseId && id
        ? value.responseId !== id
        : isFinished && promptTokens !== undefined && promptTokens !== prompt
    if (answers.length === 0 || (isAnother && parts.some((part) => !part.functionResponse))) {
      answers.push([])
      isFinished = false
      id = undefined
    }
    id = value.responseId ?? id
    prompt = value.usageMetadata?.promptTokenCount ?? prompt
    for (const { index, content, finishReason } of value.candidates ?? []) {
      const response = answers.at(-1) ?? []
      const items = response[index ?? 0] ?? []
      response[index ?? 0] = items
      for (const part of content?.parts ?? []) read(part, items)
      if (finishReason) isFinished = true
    }
  }
  const items = answers.flatMap((response) => response.flat())
  const prose = (kind: 'text' | 'reasoning') => items.flatMap((item) => (item.kind === kind ? [item.text] : []))
  return {
    text: prose('text').filter((text) => text !== ''),
    reasoning: prose('reasoning').filter((text) => text !== ''),
    tools: items.flatMap((item) => (item.kind === 'call' ? [{ name: item.name, input: item.input }] : [])),
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
    readonly id?: string
    readonly name?: string
    readonly args?: unknown
    readonly willContinue?: boolean
    readonly partialArgs?: readonly { readonly jsonPath: string; readonly [value: string]: unknown }[]
  }
  readonly executableCode?: { readonly language?: string; readonly code?: string }
  readonly toolCall?: { readonly toolType?: string; readonly args?: unknown }
  readonly [other: string]: unknown
}

/** Removes envelopes, arrays and fields that are `null`, and spells names as the API does. */
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

function read(part: RawPart, items: Item[]): void {
  const last = items.at(-1)
  const { text, thought, functionCall: call, executableCode: code, toolCall, thoughtSignature } = part
  if (call) readCall(call, items)
  else if (code)
    items.push({
      kind: 'call',
      name: 'code_execution',
      input: JSON.parse(JSON.stringify({ language: code.language, code: code.code })),
      isOpen: false,
    })
  else if (toolCall)
    items.push({
      kind: 'call',
      name: toolCall.toolType?.toLowerCase() ?? 'tool',
      input: toolCall.args ?? {},
      isOpen: false,
    })
  else if (text !== undefined || thoughtSignature !== undefined) {
    const kind = thought ? 'reasoning' : 'text'
    if (!text && !thoughtSignature) return
    if (last?.kind === kind) last.text += text ?? ''
    else items.push({ kind, text: text ?? '' })
  } else if (
    part.inlineData ||
    part.fileData ||
    part.functionResponse ||
    part.codeExecutionResult ||
    part.toolResponse
  ) {
    items.push({ kind: 'other' })
  }
}

function readCall(call: NonNullable<RawPart['functionCall']>, items: Item[]): void {
  const { id, name, args, partialArgs, willContinue } = call
  const last = items.findLast((item) => item.kind === 'call')
  const isSame = last?.name === name && (id === undefined || id === last?.id) && last?.isOpen
  if (name && (!isSame || partialArgs === undefined || args !== undefined))
    items.push({ kind: 'call', id, name, input: args ?? {}, isOpen: true })
  const open = items.findLast((item) => item.kind === 'call')
  if (open === undefined || !open.isOpen) return
  const held = { value: open.input }
  for (const { jsonPath, willContinue: _more, ...value } of partialArgs?.filter((item) => PATH.test(item.jsonPath)) ??
    [])
    assign(held, jsonPath, 'nullValue' in value ? null : Object.values(value)[0])
  open.input = held.value
  if (!willContinue) open.isOpen = false
}

/** Names and indexes; an index that no list of arguments has is not read. */
const PATH = /^\$(?:\.[^.[\]]+|\[\d{1,5}\]|\[(?:'[^']*'|"[^"]*")\])+$/

/** Reads `$.a[0].b` as `.a.0.b`. Text is appended to existing text, because every part of it comes once. */
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
  if (Array.isArray(target) !== /^\d+$/.test(key)) return
  if (Array.isArray(target)) while (target.length < Number(key)) target.push(null)
  const before = target[key]
  target[key] = typeof before === 'string' && typeof value === 'string' ? before + value : value
}
