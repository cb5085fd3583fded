import type { ExtractFrom, Unread } from './extract.ts'

interface Part {
  readonly id: string
  readonly type: string
  readonly text?: string
  readonly tool?: string
  readonly callID?: string
  readonly state?: { readonly status: string; readonly input?: unknown }
}

interface Properties {
  readonly part?: Part
  readonly partID?: string
  readonly field?: string
  readonly delta?: string
  readonly messageID?: string
  readonly textID?: string
  readonly reasoningID?: string
  readonly callID?: string
  readonly tool?: string
  readonly input?: unknown
  readonly text?: string
  readonly command?: string
  readonly prompt?: { readonly text: string }
}

interface Value {
  readonly type?: string
  readonly part?: Part
  readonly properties?: Properties
  readonly payload?: Value
}

interface Block {
  readonly kind: string
  readonly name: string
  text: string
  input: unknown
}

export const unread: Unread = {
  'opencode/everything-twice.jsonl': 'An id of a call that returns is not documented.',
}

/** A part's last record holds the whole part; its position is that of its first record. */
export const extract: ExtractFrom = (values) => {
  const blocks = new Map<string, Block>()
  const events = (values as readonly (Value | null)[]).map((value) => value?.payload ?? value)
  const isNext = events
    .find((value) => /^(message\.part|session\.next)\./.test(value?.type ?? ''))
    ?.type?.startsWith('s')
  const put = (id: string, kind: string, name = '') => {
    const block = blocks.get(id) ?? { kind, name, text: '', input: {} }
    blocks.set(id, block)
    return block
  }
  for (const value of events) {
    const type = value?.type ?? ''
    const properties = value?.properties ?? {}
    const part = type.startsWith('message.part') || value?.part ? (value?.part ?? properties.part) : undefined
    if (part !== undefined && !isNext) {
      const block = put(part.callID ?? `${part.id} ${isProse(part) ? '' : part.type}`, part.type, part.tool)
      block.text = part.text ?? ''
      block.input = part.state?.input ?? {}
    }
    if (properties.field === 'text' && !isNext) put(`${properties.partID} `, 'text').text += properties.delta ?? ''
    if (type.startsWith('session.next.')) next(type.slice('session.next.'.length), properties, put)
  }
  const all = [...blocks.values()]
  const prose = (kind: string) =>
    all.filter((block) => block.kind === kind && block.text !== '').map(({ text }) => text)
  return {
    text: prose('text'),
    reasoning: prose('reasoning'),
    tools: all.filter(({ kind }) => kind === 'tool').map(({ name, input }) => ({ name, input })),
  }
}

/** Deltas do not name the type of their part. */
function isProse({ type }: Part): boolean {
  return type === 'text' || type === 'reasoning'
}

function next(name: string, properties: Properties, put: (id: string, kind: string, name?: string) => Block): void {
  const { textID, reasoningID, callID = '', tool, input, text, messageID, prompt, command } = properties
  if (name === 'text.delta') put(textID ?? '', 'text').text += properties.delta ?? ''
  if (name === 'text.ended') put(textID ?? '', 'text').text = text ?? ''
  if (name === 'reasoning.ended') put(reasoningID ?? '', 'reasoning').text = text ?? ''
  if (name === 'tool.called') put(callID, 'tool', tool).input = input ?? {}
  if (name === 'shell.started') put(callID, 'tool', 'shell').input = { command }
  if (name === 'prompted') put(messageID ?? '', 'text').text = prompt?.text ?? ''
  if (name === 'synthetic' || name === 'context.updated') put(messageID ?? '', 'text').text = text ?? ''
}
