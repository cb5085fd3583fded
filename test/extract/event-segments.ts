import type { ExtractFrom, Unread } from './extract.ts'

const WRITTEN =
  'An input that is not JSON and what subagents say are only under `millrace`; test/round-trip.test.ts reads it back.'

export const unread: Unread = {
  'event-segments/odd-rows.jsonl': 'Rows whose segments are no list are kept as raw.',
  'event-segments/odd-reasoning.jsonl': 'Reasoning of another shape is kept as raw.',
  'event-segments/written-everything-again.jsonl': WRITTEN,
  'event-segments/written-failure.jsonl': WRITTEN,
  'event-segments/written-more.jsonl': WRITTEN,
}

interface Segment {
  readonly type: string
  readonly id?: string
  readonly text?: string
  readonly name?: string
  readonly args?: object | string
  readonly code?: string
  readonly parts?: readonly { readonly summary_index?: number; readonly text: string; readonly is_complete?: boolean }[]
  readonly combined_text?: string
}

interface Record {
  readonly type?: string
  readonly event?: { readonly id?: string; readonly role: string; readonly segments?: readonly Segment[] }
  readonly segment?: Segment
  readonly content?: string
  readonly tool_id?: string
  readonly tool_name?: string
  readonly args?: object
  readonly arguments?: string
  readonly item_id?: string
  readonly summary_index?: number
  readonly delta?: string | { readonly text: string }
  readonly part?: { readonly text: string }
  readonly parts?: readonly unknown[]
  readonly combined_text?: string
  readonly text?: string
  readonly summary?: string
  readonly code?: string
}

interface Message {
  /** The texts so far. */
  texts: string[]
  /** The kind of content that the last record of the stream added. */
  last: string
  isReplay: boolean
}

/**
 * Reads each Event by its last whole form if it has one, else by its deltas. A segment that only repeats the record
 * before it is left out. The order of kinds inside an Event is not compared, only the content.
 */
export const extract: ExtractFrom = (values) => {
  const messages = new Map<string, Message>()
  const reasoning = new Map<string, Map<number, string>>()
  const tools = new Map<string, { name: string; input: unknown }>()
  const streamed = new Map<string, string>()
  const codeDone = new Set<string | undefined>()
  let message: Message = { texts: [], last: '', isReplay: false }
  messages.set('', message)
  const tool = (id: string, name?: string, input?: object) => {
    const existing = tools.get(id)
    const isEmpty = input === undefined || Object.keys(input).length === 0
    if (existing === undefined) tools.set(id, { name: name ?? 'unknown', input: isEmpty ? {} : input })
    else if (!isEmpty) existing.input = input
    message.last = 'call'
  }
  const add = (text: string) => {
    if (message.isReplay) return
    if (message.last === 'text' && message.texts.length > 0) message.texts.push(`${message.texts.pop()}${text}`)
    else message.texts.push(text)
    message.last = 'text'
  }
  const partsOf = (id: string) => {
    const parts = reasoning.get(id) ?? new Map<number, string>()
    reasoning.set(id, parts)
    return parts
  }
  const whole = (segments: readonly Segment[]) => {
    const texts = segments.flatMap((segment) => (segment.type === 'text' ? [segment.text ?? ''] : []))
    if (texts.length > 0 && texts.join('') !== message.texts.join('')) message.texts = texts
    for (const segment of segments) if (segment.type !== 'text') other(segment, true)
  }
  const other = (segment: Segment, isWhole: boolean) => {
    const { type, id = '' } = segment
    const args = typeof segment.args === 'string' ? JSON.parse(segment.args) : segment.args
    if (type === 'tool_call') tool(id, segment.name, args)
    if (type.endsWith('_call') && type !== 'tool_call')
      tool(id, type.slice(0, -5), segment.code ? { code: segment.code } : {})
    if (type !== 'reasoning') return
    for (const part of segment.parts ?? []) {
      const parts = partsOf(id)
      const index = part.summary_index ?? 0
      const before = isWhole || part.is_complete ? '' : (parts.get(index) ?? '')
      parts.set(index, `${before}${part.text}`)
    }
    if (segment.combined_text) partsOf(id).set(0, segment.combined_text)
    message.last = 'reasoning'
  }
  let previous: Record = {}
  for (const value of (values as readonly Stored[]).flatMap(storedIn)) {
    const isStored = typeof value === 'object' && value.type === undefined && 'segments' in value
    const record: Record = isStored ? ({ event: value } as object) : { ...value, ...value.data }
    const { type = '', event, segment } = record
    if (event !== undefined && segment === undefined) {
      const existing = event.id === undefined ? message : messages.get(event.id)
      if (event.role !== 'tool' && event.id !== undefined) {
        message = existing ?? { texts: [], last: '', isReplay: false }
        if (existing !== undefined && type === 'event_start') message.isReplay = true
        messages.set(event.id, message)
      }
      whole(event.segments ?? [])
      if (type === 'message_final' || type === 'event_complete') message.last = ''
    } else if (segment !== undefined) {
      const isSecond = isSame(previous, segment)
      const soFar = message.texts.at(-1) ?? ''
      if (segment.type === 'text' && !isSecond) {
        const isGrown = soFar.length >= 16 && (segment.text ?? '').startsWith(soFar)
        if (isGrown) message.texts.pop()
        if (JSON.stringify((previous as Record).segment) !== JSON.stringify(segment)) add(segment.text ?? '')
      } else if (segment.type !== 'text' && !isSecond) other(segment, false)
    } else if (type === 'token') add(record.content ?? '')
    else if (type === 'text_done') {
      const isNew = message.last === 'call' && !message.texts.includes(record.content ?? '')
      message.texts = [...message.texts.slice(0, isNew ? undefined : -1), record.content ?? '']
      message.last = 'text'
    } else if (/^(?:mcp_)?tool_result$/.test(type)) tool(record.tool_id ?? '')
    else if (/^reasoning_summary_(?:text|part)_done$/.test(type)) {
      const text = record.part?.text ?? record.text
      if (text) partsOf(record.item_id ?? '').set(record.summary_index ?? 0, text)
    } else if (/^(?:mcp_)?tool_(?:start|finalized)$/.test(type)) {
      const args = record.args ?? (record.arguments === undefined ? undefined : JSON.parse(record.arguments))
      tool(record.tool_id ?? '', record.tool_name, args)
    } else if (/^(?:mcp_)?tool_arguments_delta$/.test(type)) {
      const id = record.tool_id ?? ''
      streamed.set(id, `${streamed.get(id) ?? ''}${record.delta ?? record.arguments ?? ''}`)
    } else if (/^(?:web_search|code_interpreter)_call_/.test(type)) {
      const name = type.startsWith('web') ? 'web_search' : 'code_interpreter'
      const delta = typeof record.delta === 'string' ? record.delta : ''
      const before = (tools.get(record.item_id ?? '')?.input as { code?: string } | undefined)?.code ?? ''
      const code = record.code ?? (codeDone.has(record.item_id) ? before : `${before}${delta}`)
      if (record.code !== undefined) codeDone.add(record.item_id)
      tool(record.item_id ?? '', name, code === '' ? {} : { code })
    } else if (/^reasoning_summary_(?:text_)?delta$|part_added$/.test(type)) {
      // Reasoning that continues after a call is another block.
      const isLater = message.last === 'call' && reasoning.has(record.item_id ?? '')
      const parts = partsOf(`${record.item_id ?? ''}${isLater ? '#' : ''}`)
      const delta = typeof record.delta === 'string' ? record.delta : (record.delta?.text ?? record.part?.text ?? '')
      const index = record.summary_index ?? 0
      const isReplay = message.isReplay
      if (!isReplay) parts.set(index, `${parts.get(index) ?? ''}${delta}`)
      message.last = 'reasoning'
    } else if (record.combined_text ?? record.summary) {
      partsOf(record.item_id ?? '').set(0, record.combined_text ?? record.summary ?? '')
      message.last = 'reasoning'
    }
    previous = record
  }
  return {
    text: [...messages.values()].flatMap(({ texts }) => texts).filter((text) => text !== ''),
    reasoning: [...reasoning.values()]
      .map((parts) => [...parts].sort(([a], [b]) => a - b).map(([, text]) => text))
      .map((parts) => parts.filter((text) => text !== '').join('\n\n'))
      .filter((text) => text !== ''),
    tools: [...tools].map(([id, { name, input }]) => ({
      name,
      input: isEmpty(input) ? (partOf(streamed.get(id)) ?? input) : input,
    })),
  }
}

type Stored = Record & { data?: Record } & {
  events?: readonly { order_key: string }[]
  segments?: unknown
  reasoning?: { item_id?: string } | null
}

/** The Events of a conversation by their keys; rows with segments as text, and with reasoning beside them. */
function storedIn(value: Stored): readonly (Record & { data?: Record })[] {
  if (value?.type === undefined && Array.isArray(value?.events))
    return [...value.events]
      .sort((a, b) => (a.order_key ?? '').localeCompare(b.order_key ?? ''))
      .flatMap((row) => storedIn(row as never))
  if (typeof value?.segments === 'string' && value.segments.startsWith('[{'))
    return storedIn({ ...value, segments: JSON.parse(value.segments) })
  if (!value?.reasoning || !Array.isArray(value.segments) || JSON.stringify(value.segments).includes('"reasoning"'))
    return [value]
  return [
    {
      ...value,
      segments: [reasoningOf(value.reasoning as Record), ...value.segments],
    } as never,
  ]
}

/** Parts by their index repeat the text of the whole; a list of them is all that there is. */
const reasoningOf = ({ parts, ...rest }: Record) => ({
  ...rest,
  id: rest.item_id,
  type: 'reasoning',
  parts: Array.isArray(parts) ? parts : [],
})

const isEmpty = (input: unknown) => Object.keys(input ?? {}).length === 0

/** The streamed part of an input that was never completed. */
function partOf(text = '{}'): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a segment only repeats the record before it in the other form. */
function isSame(previous: Record, segment: Segment): boolean {
  if (segment.type === 'text') return previous.type === 'token' && previous.content === segment.text
  if (segment.type !== 'reasoning') return false
  const [part] = segment.parts ?? []
  return previous.type === 'reasoning_summary_text_delta' && previous.delta === part?.text
}
