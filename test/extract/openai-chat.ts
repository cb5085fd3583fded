import type { ExtractFrom, Unread } from './extract.ts'

interface Block {
  readonly kind: 'text' | 'refusal' | 'reasoning' | 'tool'
  readonly key?: string
  id?: string | undefined
  name: string
  text: string
  readonly isFreeText?: boolean
}

interface Spoken {
  readonly blocks: Block[]
  isFinished: boolean
}

export const unread: Unread = {
  'openai-chat/broken-turns.jsonl': 'Its whole messages repeat a part of what was streamed, or more than that.',
  'openai-chat/calls-in-pieces.jsonl': 'That a name may grow is not documented.',
  'openai-chat/damaged-fields.jsonl': 'Its chunks are of no documented shape.',
  'openai-chat/ids-say-nothing.jsonl': 'That an id may change within a response is not documented.',
  'openai-chat/turns-of-a-loop.jsonl': 'Words after the end of a response are not documented.',
  'openai-chat/everything-twice.jsonl': 'Whether a whole completion with a known id is another one is not documented.',
  'openai-chat/odd-chunks.jsonl': 'Its chunks are of no documented shape.',
}

/**
 * Reads each choice of each response separately. Content under another id after the end of a response is another
 * response; so is content after a repeated role.
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
    if (isAnnounced || (isOver && isOther && choices.some(hasContent))) {
      response = new Map()
      isCounted = false
    }
    if (value?.usage && choices.length === 0 && response.size > 0) isCounted = true
    if (choices.length > 0) {
      id = value.id ?? ''
      hadRole = hasRole
    }
    for (const choice of choices) {
      const choiceState = response.get(choice.index ?? 0) ?? { blocks: [], isFinished: false }
      if (!response.has(choice.index ?? 0)) all.push(choiceState)
      response.set(choice.index ?? 0, choiceState)
      const isRepeated = !choice.delta && choice.message && choiceState.blocks.length > 0
      if (isRepeated) choiceState.blocks.splice(0)
      read(choiceState.blocks, choice)
      if (choice.finish_reason) choiceState.isFinished = true
    }
  }
  const blocks = all.flatMap((choiceState) => choiceState.blocks)
  const isCut = !isCounted && all.at(-1)?.isFinished === false
  const textsOf = (...kinds: readonly string[]) =>
    blocks.filter(({ kind, text }) => kinds.includes(kind) && text !== '').map((block) => block.text)
  return {
    text: textsOf('text', 'refusal'),
    reasoning: textsOf('reasoning'),
    tools: blocks
      .filter(({ kind, name }) => kind === 'tool' && name !== '')
      .map((tool) => ({ name: tool.name, input: tool.text === '' && isCut ? '' : inputOf(tool) })),
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

function hasContent({ text, delta, message }: Choice): boolean {
  const body = delta ?? message
  const { content, tool_calls, function_call } = body ?? {}
  return [text, content, tool_calls, function_call, body && reasoningOf(body)].some((part) =>
    part ? part !== '' : false,
  )
}

function read(blocks: Block[], { text, delta, message }: Choice): void {
  const body: Delta = delta ?? message ?? {}
  prose(blocks, 'reasoning', reasoningOf(body))
  const isThought = body.extra_content?.google?.thought
  if (typeof body.content === 'string') prose(blocks, isThought ? 'reasoning' : 'text', body.content)
  else if (Array.isArray(body.content)) for (const part of body.content) readPart(blocks, part)
  if (!delta && !message) prose(blocks, 'text', text ?? '')
  prose(blocks, 'text', body.audio?.transcript ?? '')
  prose(blocks, 'refusal', body.refusal ?? '')
  for (const call of body.tool_calls ?? []) readCall(blocks, call)
  if (body.function_call) readCall(blocks, { index: -1, function: body.function_call })
  for (const tool of body.executed_tools ?? []) {
    const key = `executed ${tool.index}`
    if (blocks.some((block) => block.key === key)) continue
    blocks.push({ kind: 'tool', key, name: tool.name ?? tool.type, text: textOf(tool.arguments) })
  }
}

function reasoningOf(delta: Delta): string {
  const { reasoning_details, reasoning_content, reasoning, reasoning_text, thinking, reasoning_steps } = delta
  const detailed = (reasoning_details ?? []).map(({ text, summary }) => text ?? summary ?? '').join('')
  const steps = (reasoning_steps ?? []).map(({ thought }) => thought).join('')
  return detailed || reasoning_content || reasoning || reasoning_text || thinking || steps
}

function readPart(blocks: Block[], { type, text, refusal, thinking }: Part): void {
  if (type === 'text') prose(blocks, 'text', text ?? '')
  if (type === 'refusal') prose(blocks, 'refusal', refusal ?? '')
  if (type !== 'thinking') return
  const thought = typeof thinking === 'string' ? thinking : (thinking ?? []).map((part) => part.text ?? '').join('')
  prose(blocks, 'reasoning', thought)
}

/** Text that follows text of its kind continues it. */
function prose(blocks: Block[], kind: Block['kind'], text: string): void {
  if (text === '') return
  const last = blocks.at(-1)
  if (last?.kind === kind) last.text += text
  else blocks.push({ kind, name: '', text })
}

function readCall(blocks: Block[], call: Call): void {
  const { name, arguments: rawArguments, input } = call.function ?? call.custom ?? {}
  const text = textOf(rawArguments ?? input)
  const isSame = ({ key, id }: Block) => {
    if (call.index !== undefined) return key === String(call.index) && !(name && id && call.id && id !== call.id)
    return call.id ? id === call.id : !name
  }
  const before = blocks.filter(({ kind }) => kind === 'tool').findLast(isSame)
  if (before === undefined) {
    const isFreeText = call.custom !== undefined
    const ids = { key: String(call.index), id: call.id ?? undefined }
    blocks.push({ kind: 'tool', ...ids, name: name ?? '', text, isFreeText })
    return
  }
  if (before.text === '' && name && name !== before.name) before.name += name
  before.id ??= call.id ?? undefined
  before.text += text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '')
}

function inputOf({ text, isFreeText }: Block): unknown {
  if (isFreeText) return text
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
