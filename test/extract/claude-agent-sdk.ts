import type { ExtractFrom, Unread } from './extract.ts'

interface Part {
  readonly kind: 'text' | 'thinking' | 'tool'
  readonly thread: string
  readonly messageId: string | undefined
  readonly name?: string
  text: string
  input?: unknown
  isRepeated: boolean
}

interface Block {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly text?: string
  readonly thinking?: string
  readonly input?: unknown
}

interface Value {
  readonly type?: string
  readonly subtype?: string
  readonly parent_tool_use_id?: string | null
  readonly parentToolUseID?: string
  readonly isSidechain?: boolean
  readonly isReplay?: boolean
  readonly is_error?: boolean
  readonly uuid?: string
  readonly result?: string
  readonly content?: string
  readonly tool_use_id?: string
  readonly tool_name?: string
  readonly api_message_id?: string
  readonly message?: { readonly id?: string; readonly content?: string | readonly Block[] } | string
  readonly operation?: string
  readonly attachment?: { readonly type?: string; readonly prompt?: string }
  readonly data?: { readonly type?: string; readonly message?: Value }
  readonly event?: {
    readonly type: string
    readonly index?: number
    readonly message?: { readonly id?: string }
    readonly content_block?: Block
    readonly delta?: { readonly text?: string; readonly thinking?: string; readonly partial_json?: string }
  }
}

const CALLS = ['tool_use', 'server_tool_use', 'mcp_tool_use']

export const unread: Unread = {
  'claude-agent-sdk/equal-calls-again.jsonl': 'Lines that repeat the whole message so far are not documented.',
  'claude-agent-sdk/sparse-lines.jsonl': 'Fields that the documentation requires are absent.',
  'claude-agent-sdk/stored-odd-lines.jsonl':
    'How stored lines name their subagents and repeat blocks is not documented.',
  'claude-agent-sdk/stored-sidechains.jsonl': 'How stored lines name their subagents is not documented.',
  'claude-agent-sdk/streamed-twice.jsonl':
    'An id of a call that returns, and text after the result, are not documented.',
  'claude-agent-sdk/subagent-details.jsonl': 'Which blocks a superseded line takes back is not documented.',
}

/** Everything in order. A whole block that was streamed before, or a call with a known id, is not counted again. */
export const extract: ExtractFrom = (values) => {
  const parts: Part[] = []
  const calls = new Map<string, Part>()
  const tasks = new Set<unknown>()
  const prompts = new Set<string>()
  const queued = new Set<string>()
  const lastIndexes = new Map<string, number>()
  const uuids = new Set<string>()
  const streaming = new Map<string, Part>()
  const messageIds = new Map<string, string | undefined>()
  let hasModelSpoken = false

  function add(block: Block, thread: string): Part | undefined {
    const kind = block.type === 'text' || block.type === 'thinking' ? block.type : 'tool'
    if (kind === 'tool' && !CALLS.includes(block.type)) return undefined
    const existing = block.id === undefined ? undefined : calls.get(block.id)
    if (existing !== undefined) return existing
    const toolFields = kind === 'tool' ? { name: block.name ?? '', input: block.input } : {}
    const part = {
      kind,
      thread,
      ...toolFields,
      text: block.text ?? block.thinking ?? '',
      isRepeated: true,
      messageId: messageIds.get(thread),
    } as Part
    parts.push(part)
    if (block.id !== undefined) calls.set(block.id, part)
    return part
  }

  function whole(block: Block, thread: string, messageId: string | undefined): void {
    const text = block.text ?? block.thinking ?? ''
    const waiting = parts.filter((part) => !part.isRepeated && part.thread === thread && part.kind === block.type)
    const streamed =
      waiting.find((part) => part.text === text) ??
      waiting.find((part) => messageId !== undefined && part.messageId === messageId)
    if (streamed !== undefined) {
      streamed.isRepeated = true
      streamed.text = text
    } else {
      const part = add(block, thread)
      if (part?.kind === 'tool') part.input = block.input
    }
    const { prompt } = (block.input ?? {}) as { prompt?: unknown }
    if (prompt !== undefined) tasks.add(prompt)
  }

  function user(content: string | readonly Block[], value: Value): void {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    for (const rawBlock of blocks as readonly (Block | string)[]) {
      const block: Block = typeof rawBlock === 'string' ? { type: 'text', text: rawBlock } : rawBlock
      if (block.type !== 'text') continue
      const isOfSubagent = value.isSidechain === true || Boolean(value.parent_tool_use_id)
      const isRepeatedPrompt =
        (value.isReplay === true && prompts.has(block.text ?? '')) || (isOfSubagent && tasks.has(block.text))
      if (!isRepeatedPrompt) add(block, '')
      prompts.add(block.text ?? '')
    }
  }

  function read(value: Value, thread: string): void {
    const { message, event } = value
    const isSpoken = value.type === 'assistant' || value.type === 'user'
    if (isSpoken && value.uuid !== undefined) {
      if (uuids.has(value.uuid)) return
      uuids.add(value.uuid)
    }
    const content = typeof message === 'string' ? message : message?.content
    if (value.type === 'user' && content !== undefined) user(content, value)
    if (value.type === 'assistant' && content !== undefined) {
      hasModelSpoken = true
      for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content)
        whole(block, thread, typeof message === 'string' ? undefined : message?.id)
    }
    if (value.type === 'stream_event') {
      hasModelSpoken = true
      const isStart = event?.type === 'content_block_start'
      lastIndexes.set(thread, event?.index ?? (lastIndexes.get(thread) ?? -1) + (isStart ? 1 : 0))
      if (event?.type === 'message_start') lastIndexes.delete(thread)
      const key = `${thread} ${lastIndexes.get(thread) ?? 0}`
      const startedId = event?.message?.id ?? value.api_message_id
      if (startedId !== undefined) messageIds.set(thread, startedId)
      if (event?.type === 'message_start')
        for (const old of [...streaming.keys()]) if (old.startsWith(`${thread} `)) streaming.delete(old)
      const { text, thinking, partial_json } = event?.delta ?? {}
      const block = event?.content_block ?? (event?.delta && !streaming.has(key) ? impliedBy(event.delta) : undefined)
      const part = block === undefined ? streaming.get(key) : add(block, thread)
      if (part === undefined) return
      if (block !== undefined) part.isRepeated = false
      streaming.set(key, part)
      part.text += text ?? thinking ?? partial_json ?? ''
    }
    if (value.type === 'system' && value.subtype?.startsWith('local_command'))
      add({ type: 'text', text: value.content ?? '' }, '')
    const steered =
      value.type === 'attachment' && value.attachment?.type === 'queued_command' ? value.attachment.prompt : undefined
    const removed = value.type === 'queue-operation' && value.operation === 'remove' ? value.content : undefined
    const steering = steered ?? removed
    if (steering !== undefined && !queued.delete(steering)) {
      queued.add(steering)
      add({ type: 'text', text: steering }, '')
    }
    if (value.type === 'progress' && value.data?.message !== undefined) {
      const parent = value.parentToolUseID ?? ''
      read({ ...value.data.message, parent_tool_use_id: parent }, parent)
    }
    if (value.type === 'tool_progress' && value.tool_use_id !== undefined)
      add({ type: 'tool_use', id: value.tool_use_id, ...(value.tool_name && { name: value.tool_name }) }, thread)
    if (value.type === 'result') {
      if (!hasModelSpoken && value.is_error !== true && value.result) add({ type: 'text', text: value.result }, '')
      hasModelSpoken = false
    }
  }

  for (const value of values as readonly Value[])
    if (typeof value === 'object' && value !== null) read(value, value.parent_tool_use_id ?? '')
  const prose = (kind: string) => parts.filter((part) => part.kind === kind && part.text !== '').map(({ text }) => text)
  return {
    text: prose('text'),
    reasoning: prose('thinking'),
    tools: parts.flatMap((part) => (part.kind === 'tool' ? [{ name: part.name ?? '', input: inputOf(part) }] : [])),
  }
}

function impliedBy(delta: { readonly text?: string; readonly thinking?: string }): Block | undefined {
  if (delta.text !== undefined) return { type: 'text' }
  return delta.thinking === undefined ? undefined : { type: 'thinking' }
}

function inputOf({ input, text }: Part): unknown {
  if (text === '' || Object.keys((input ?? {}) as object).length > 0) return input ?? {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
