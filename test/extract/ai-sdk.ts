import type { ExtractFrom } from './extract.ts'

interface Value {
  readonly type?: string
  readonly id?: string
  readonly delta?: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly name?: string
  readonly inputTextDelta?: string
  readonly input?: unknown
  readonly toolCall?: { readonly toolCallId: string; readonly toolName: string; readonly input?: unknown }
  readonly rawInput?: unknown
  readonly data?: {
    readonly id?: string
    readonly type?: string
    readonly text?: string
    readonly delta?: unknown
    readonly citations?: unknown
  }
  readonly parts?: readonly { readonly type: string; readonly text?: string }[]
  readonly message?: { readonly content?: string | readonly { readonly type: string; readonly text?: string }[] }
}

/** Every start begins a piece, even with a repeated id; a whole input replaces the streamed one. */
export const extract: ExtractFrom = (values) => {
  const prose: { readonly kind: string; text: string }[] = []
  const tools: { readonly id: string; readonly name: string; input: unknown; streamed: string; hasInput: boolean }[] =
    []
  const current = new Map<string, { text: string }>()
  const isProvider = values.some((value) =>
    ['stream-start', 'response-metadata'].includes((value as Value)?.type ?? ''),
  )

  function begin(kind: string, id: string): { text: string } {
    const piece = { kind, text: '' }
    prose.push(piece)
    current.set(`${kind} ${id}`, piece)
    return piece
  }

  /** What a subagent says: each part repeats the whole. */
  function speak(id: string, kind: string, text: string | undefined): void {
    if (text === undefined) return
    const piece = current.get(`subagent ${id}`) ?? begin(kind, id)
    piece.text = text
    current.set(`subagent ${id}`, piece)
  }

  function call(id: string, name: string) {
    const existing = tools.findLast((tool) => tool.id === id)
    if (existing !== undefined) return existing
    const tool = { id, name, input: {} as unknown, streamed: '', hasInput: false }
    tools.push(tool)
    return tool
  }

  for (const value of values as readonly Value[]) {
    const type = value?.type ?? ''
    const kind = type.startsWith('reasoning') ? 'reasoning' : 'text'
    const id = value?.toolCallId ?? value?.id ?? ''
    if (type === 'text-start' || type === 'reasoning-start') begin(kind, id)
    if (type === 'text-end' || type === 'reasoning-end') current.delete(`${kind} ${id}`)
    if (type === 'text-delta' || type === 'reasoning-delta')
      (current.get(`${kind} ${id}`) ?? begin(kind, id)).text += value.delta ?? value.text ?? ''
    const { data = {} } = value ?? {}
    if (type === 'data-subagent-part' && Array.isArray(data.citations ?? [])) speak(id, data.type ?? '', data.text)
    if (type === 'data-subagent-delta' && typeof data.delta === 'string') {
      const piece = current.get(`subagent ${data.id}`)
      if (piece !== undefined) piece.text += data.delta
    }
    if (type === 'steering-message') {
      const content = value.parts ?? value.message?.content ?? []
      const pieces = typeof content === 'string' ? [{ text: content }] : content
      for (const piece of pieces) begin('text', id).text = piece.text ?? ''
    }
    if (type === 'tool-input-start') call(id, value.toolName ?? value.name ?? 'unknown')
    if (type === 'tool-approval-request' && value.toolCall !== undefined) {
      const { toolCallId, toolName, input = {} } = value.toolCall
      const tool = call(toolCallId, toolName)
      if (!tool.hasInput) Object.assign(tool, { input, hasInput: true })
    }
    if (type === 'tool-input-delta') call(id, 'unknown').streamed += value.inputTextDelta ?? value.delta ?? ''
    // A result of `fullStream` repeats its call, which may have been in an earlier response.
    const isResult = /^tool-(result|error)$/.test(type) && value.toolName !== undefined
    if (/^tool-(input-available|input-error|call)$/.test(type) || isResult) {
      const tool = call(id, value.toolName ?? value.name ?? 'unknown')
      if (tool.hasInput) continue
      tool.hasInput = true
      const input = value.input ?? value.rawInput ?? (type === 'tool-input-error' ? '' : {})
      tool.input = isProvider && typeof input === 'string' ? inputOf(input) : input
    }
  }
  const texts = (kind: string) =>
    prose.filter((piece) => piece.kind === kind && piece.text !== '').map(({ text }) => text)
  return {
    text: texts('text'),
    reasoning: texts('reasoning'),
    tools: tools.map(({ name, input, streamed, hasInput }) => ({ name, input: hasInput ? input : inputOf(streamed) })),
  }
}

function inputOf(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
