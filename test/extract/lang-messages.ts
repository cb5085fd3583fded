import type { Extract } from './extract.ts'

/** A message, a chunk or a block of LangChain's: whatever fields it may have. */
export interface Raw {
  readonly type?: string
  readonly role?: string
  readonly id?: string | readonly string[]
  readonly kwargs?: Raw
  readonly data?: Raw
  readonly content?: string | readonly Raw[] | Raw
  readonly index?: number | string
  readonly name?: string
  readonly text?: string
  readonly thinking?: string
  readonly reasoning?: unknown
  readonly reasoning_content?: unknown
  readonly refusal?: string
  readonly summary?: readonly Raw[]
  readonly args?: unknown
  readonly input?: unknown
  readonly partial_json?: string
  readonly additional_kwargs?: Raw
  readonly tool_calls?: readonly Raw[]
  readonly invalid_tool_calls?: readonly Raw[]
  readonly tool_call_chunks?: readonly Raw[]
  readonly tool_call_id?: string
}

interface Said {
  readonly kind: 'text' | 'reasoning'
  readonly key: string
  readonly text: string
}

interface Tool {
  readonly id: unknown
  readonly index: unknown
  readonly name: string
  args: string
  input?: unknown
}

/** What one message says, put together by hand. */
export interface Heard {
  readonly id: unknown
  readonly namespace: string
  prose: Said[]
  tools: Tool[]
}

export function sum(heard: readonly Heard[]): Extract {
  const prose = heard.flatMap((message) => message.prose).filter(({ text }) => text !== '')
  const tools = heard.flatMap((message) => message.tools)
  return {
    text: prose.filter(({ kind }) => kind === 'text').map(({ text }) => text),
    reasoning: prose.filter(({ kind }) => kind === 'reasoning').map(({ text }) => text),
    tools: tools.map(({ name, args, input }) => ({ name, input: args === '' ? (input ?? {}) : json(args) })),
  }
}

export function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `ai`, `human`, `tool`, … of a message in any serialisation; undefined if it is not a message. */
export function kindOf(value: Raw): string | undefined {
  const type =
    value.type === 'constructor' ? value.id?.at(-1) : (value.type ?? (value.role === 'user' ? 'human' : value.role))
  const kind = String(type)
    .replace(/Message(?:Chunk)?$/, '')
    .toLowerCase()
  const hasContent = fieldsOf(value)?.content !== undefined
  return ['ai', 'human', 'system', 'tool', 'remove'].includes(kind) && hasContent ? kind : undefined
}

export const fieldsOf = (value: Raw): Raw =>
  value.kwargs ?? (value.content === undefined ? (value.data ?? value) : value)

export function isChunk(value: Raw): boolean {
  return String(value.type === 'constructor' ? value.id?.at(-1) : value.type).endsWith('Chunk')
}

export function messageFor(heard: Heard[], namespace: string, id: unknown): Heard {
  const known = heard.find((one) => one.id === id && one.namespace === namespace)
  if (known !== undefined) return known
  const message: Heard = { id, namespace, prose: [], tools: [] }
  heard.push(message)
  return message
}

export function hearChunk(message: Heard, fields: Raw): void {
  for (const { kind, key, text } of proseOf(fields)) say(message, kind, key, text)
  const listed = fields.tool_call_chunks?.length ? fields.tool_call_chunks : (fields.tool_calls ?? [])
  const inContent = blocksOf(fields).filter(({ type }) => type === 'server_tool_use' || type === 'input_json_delta')
  for (const call of listed.length > 0 ? listed : inContent) {
    const isNew = call.name && !message.tools.some((tool) => call.id && tool.id === call.id)
    if (isNew) message.tools.push({ id: call.id, index: call.index, name: call.name ?? '', args: '' })
    const tool = message.tools.findLast((one) => call.index === undefined || one.index === call.index)
    const args = call.args ?? call.partial_json ?? call.input
    if (tool !== undefined && typeof args === 'string') tool.args += args
    else if (tool !== undefined && args) tool.input = args
  }
}

export function say(message: Heard, kind: 'text' | 'reasoning', key: string, text: string): void {
  const last = message.prose.at(-1)
  const goesOn = kind === 'text' && key === '' && last?.key !== 'refusal'
  if (last?.kind === kind && (last.key === key || goesOn))
    message.prose[message.prose.length - 1] = { ...last, text: last.text + text }
  else if (text !== '') message.prose.push({ kind, key, text })
}

const blocksOf = ({ content }: Raw): readonly Raw[] => (Array.isArray(content) ? content : [])

export function proseOf(fields: Raw): Said[] {
  const { reasoning, reasoning_content, refusal } = fields.additional_kwargs ?? {}
  const summary = (reasoning as Raw | undefined)?.summary ?? []
  const beside: Said[] = [
    { kind: 'reasoning', key: 'content', text: String(reasoning_content ?? fields.reasoning_content ?? '') },
    ...summary.map((part) => ({ kind: 'reasoning' as const, key: `summary${part.index}`, text: part.text ?? '' })),
    { kind: 'text', key: 'refusal', text: refusal ?? '' },
  ]
  // A string among the blocks goes on with the text before it.
  if (typeof fields.content === 'string') return [...beside, { kind: 'text', key: '', text: fields.content }]
  return [...beside, ...blocksOf(fields).flatMap(proseOfBlock)].reduce(joinBare, [])
}

function joinBare(said: Said[], one: Said): Said[] {
  const last = said.at(-1)
  if (one.key !== '' || last?.kind !== 'text' || one.text === '') return [...said, one]
  return [...said.slice(0, -1), { ...last, text: last.text + one.text }]
}

export function proseOfBlock(block: Raw | string): Said[] {
  if (typeof block === 'string') return [{ kind: 'text', key: '', text: block }]
  const key = String(block.index)
  if (block.type === 'text') return [{ kind: 'text', key, text: block.text ?? '' }]
  if (block.type === 'refusal') return [{ kind: 'text', key: `refusal${key}`, text: block.refusal ?? '' }]
  if (block.type === 'thinking') return [{ kind: 'reasoning', key, text: block.thinking ?? '' }]
  if (block.type !== 'reasoning') return []
  const parts = (block.summary ?? []).map((part) => ({
    kind: 'reasoning' as const,
    key: `${key}.${part.index}`,
    text: part.text ?? '',
  }))
  return [...parts, { kind: 'reasoning', key, text: String(block.reasoning ?? '') }]
}

/** A message from its beginning: what was heard of it before is replaced by what it says, if it says anything. */
export function hearAgain(message: Heard, fields: Raw): void {
  const whole: Heard = { ...message, prose: [], tools: [] }
  for (const [place, { kind, key, text }] of proseOf(fields).entries()) say(whole, kind, `${key}#${place}`, text)
  const inContent = blocksOf(fields).filter(({ type }) => ['tool_call', 'server_tool_use'].includes(type ?? ''))
  const listed = [...(fields.tool_calls ?? []), ...(fields.invalid_tool_calls ?? []).filter((call) => call.id)]
  const served = inContent.filter(({ type }) => type === 'server_tool_use' || listed.length === 0)
  for (const { id, name = '', args, input } of [...served, ...listed])
    whole.tools.push({ id, index: undefined, name, args: '', input: args ?? input })
  for (const kind of ['text', 'reasoning'] as const) {
    const said = whole.prose.filter((one) => one.kind === kind)
    if (said.length > 0 && joined(said) !== joined(message.prose.filter((one) => one.kind === kind)))
      message.prose = [...message.prose.filter((one) => one.kind !== kind), ...said]
  }
  if (whole.tools.length > 0 && message.tools.every(({ args }) => args === '')) message.tools = whole.tools
}

const joined = (prose: readonly Said[]) => prose.map(({ text }) => text).join('')
