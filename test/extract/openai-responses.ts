import type { ExtractFrom, Unread } from './extract.ts'

interface Block {
  readonly kind: 'text' | 'reasoning' | 'tool'
  readonly name: string
  text: string
  input: unknown
}

interface Item {
  readonly type: string
  readonly [field: string]: unknown
}

interface Part {
  readonly type: string
  readonly transcript?: string
  readonly text?: string
  readonly refusal?: string
}

interface Value {
  readonly type?: string
  readonly object?: string
  readonly output?: readonly Item[]
  readonly response?: { readonly output?: readonly Item[] }
  readonly item?: Item
  readonly output_index?: number
  readonly item_id?: string
  readonly content_index?: number
  readonly summary_index?: number
  readonly delta?: string
  readonly text?: string
  readonly refusal?: string
}

/** The names of tools whose items have none. */
const NAMES: { readonly [type: string]: string } = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_interpreter',
  image_generation_call: 'image_generation',
  computer_call: 'computer',
  local_shell_call: 'local_shell',
  shell_call: 'shell',
  apply_patch_call: 'apply_patch',
  tool_search_call: 'tool_search',
  program: 'program',
}

export const unread: Unread = {
  'openai-responses/ends-in-the-response.jsonl': 'Its items have no ends, or share an id.',
  'openai-responses/inputs-only-once.jsonl': 'Its items do not repeat what was streamed of them.',
  'openai-responses/parts-and-sources.jsonl': 'Its items do not repeat what was streamed of them.',
  'openai-responses/sparse-items.jsonl': 'Fields that the documentation requires are absent.',
}

export const extract: ExtractFrom = (values) => {
  const blocks = new Map<string, Block>()
  const approvalRequests = new Set<unknown>()
  let turn = 0
  let items = 0

  function blockOf(key: string, kind: Block['kind'], name = ''): Block {
    const found = blocks.get(`${turn}/${key}`) ?? { kind, name, text: '', input: {} }
    blocks.set(`${turn}/${key}`, found)
    return found
  }

  function prose(key: string, kind: Block['kind'], text: string | undefined): void {
    if (text) blockOf(key, kind).text = text
  }

  function isTool(item: Item): boolean {
    if (item.approval_request_id && approvalRequests.has(item.approval_request_id)) return false
    return item.type === 'program' || /_call$|^mcp_approval_request$/.test(item.type)
  }

  function tool(item: Item, index: unknown): Block {
    return blockOf(`${index}`, 'tool', NAMES[item.type] ?? String(item.name ?? item.type.replace('_call', '')))
  }

  function whole(item: Item, index: unknown): void {
    items++
    if (isTool(item)) tool(item, index).input = inputOf(item)
    if (item.type === 'mcp_approval_request') approvalRequests.add(item.id)
    const parts = (item.content ?? []) as readonly Part[]
    const summary = (item.summary ?? []) as readonly Part[]
    if (item.type === 'reasoning') {
      for (const [at, part] of summary.entries()) prose(`${index}/summary/${at}`, 'reasoning', part.text)
      for (const [at, part] of parts.entries()) prose(`${index}/content/${at}`, 'reasoning', part.text)
    }
    if (item.type !== 'message') return
    for (const [at, part] of parts.entries())
      if (/text|refusal|audio/.test(part.type))
        prose(`${index}/${part.type}/${at}`, 'text', part.refusal ?? part.transcript ?? part.text)
  }

  function read(value: Value): void {
    const { type = '', item, content_index: at = 0, summary_index: part = 0 } = value
    const index = value.output_index ?? value.item_id ?? item?.id
    if (type === 'response.created') {
      turn++
      items = 0
    }
    if (type === 'response.output_item.added' && item !== undefined && item.name !== '' && isTool(item))
      tool(item, index)
    if (type === 'response.output_item.done' && item !== undefined) whole(item, index)
    const [, kind = '', step = ''] = /^response\.(.+)\.(delta|done)$/.exec(type) ?? []
    const called = blocks.get(`${turn}/${index}`)
    if (kind.endsWith('_arguments') && step === 'delta' && called !== undefined) {
      called.text += value.delta ?? ''
      called.input = parsed(called.text)
    }
    const row = proseKinds[kind]
    if (row !== undefined && value.delta !== '') {
      const [word, shown] = row
      const key = `${index}/${word}/${word === 'summary' ? part : at}`
      if (step === 'delta') blockOf(key, shown).text += value.delta ?? ''
      else prose(key, shown, value.text ?? value.refusal)
    }
    for (const [position, one] of (value.response?.output ?? []).entries()) if (position >= items) whole(one, position)
    if (value.object === 'response') {
      turn++
      for (const [position, one] of (value.output ?? []).entries()) whole(one, position)
    }
  }

  for (const value of values as readonly (Value | null)[]) if (value !== null) read(value)
  const all = [...blocks.values()]
  const texts = (kind: Block['kind']) =>
    all.filter((one) => one.kind === kind && one.text !== '').map(({ text }) => text)
  return {
    text: texts('text'),
    reasoning: texts('reasoning'),
    tools: all.filter(({ kind }) => kind === 'tool').map(({ name, input }) => ({ name, input })),
  }
}

const proseKinds: { readonly [kind: string]: readonly [word: string, kind: Block['kind']] } = {
  output_text: ['output_text', 'text'],
  refusal: ['refusal', 'text'],
  'audio.transcript': ['output_text', 'text'],
  reasoning: ['content', 'reasoning'],
  reasoning_text: ['content', 'reasoning'],
  reasoning_summary_text: ['summary', 'reasoning'],
}

function inputOf(item: Item): unknown {
  const fieldsOf = (...fields: readonly string[]) =>
    Object.fromEntries(
      fields.flatMap((field) => (item[field] === undefined || item[field] === null ? [] : [[field, item[field]]])),
    )
  const without = (value: unknown, omitted: string) =>
    Object.fromEntries(Object.entries(value ?? {}).filter(([field, one]) => field !== omitted && one !== null))
  switch (item.type) {
    case 'custom_tool_call':
      return item.input
    case 'web_search_call':
      return item.action === undefined ? parsed(item.arguments) : without(item.action, 'sources')
    case 'file_search_call':
      return fieldsOf('queries')
    case 'code_interpreter_call':
      return fieldsOf('container_id', 'code')
    case 'image_generation_call':
      return fieldsOf('action', 'prompt', 'revised_prompt', 'size', 'quality', 'background', 'output_format')
    case 'computer_call':
      return fieldsOf('action', 'actions')
    case 'local_shell_call':
    case 'shell_call':
      return without(item.action, '')
    case 'apply_patch_call':
      return without(item.operation, '')
    case 'program':
      return fieldsOf('code')
    default:
      return item.action ?? parsed(item.arguments)
  }
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? {}
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
