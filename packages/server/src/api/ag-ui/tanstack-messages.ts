import { isJsonObject, type Json, type JsonObject } from '@millrace/core/json'

type Part = { [field: string]: Json | undefined }

interface UiMessage {
  readonly id: string
  readonly role: string
  readonly parts: Part[]
}

/**
 * The messages of AG-UI as TanStack's client draws them: thoughts belong to the answer that follows them, results to their
 * calls. What it has no part for, such as an activity, is left out, as it is when it streams.
 */
export function tanstackMessages(messages: readonly JsonObject[]): readonly JsonObject[] {
  const shown: UiMessage[] = []
  const calls = new Map<Json | undefined, { readonly call: Part; readonly owner: UiMessage }>()
  let thoughts: UiMessage | undefined

  function show(id: string, role: string, parts: readonly Part[]): UiMessage {
    const message = { id, role, parts: [...(role === 'assistant' ? (thoughts?.parts ?? []) : []), ...parts] }
    if (thoughts !== undefined && role === 'assistant') shown.pop()
    thoughts = undefined
    shown.push(message)
    return message
  }

  /** Thoughts that nothing has followed yet are a message alone. */
  function think(id: string, content: Json | undefined): void {
    const part = { type: 'thinking', content }
    if (thoughts === undefined) thoughts = show(id, 'assistant', [part])
    else thoughts.parts.push(part)
  }

  function answer(id: string, { content, toolCalls }: JsonObject): void {
    const parts = [...textOf(content), ...(Array.isArray(toolCalls) ? toolCalls : []).map(callOf)]
    const owner = show(id, 'assistant', parts)
    for (const call of parts) if (call.type === 'tool-call') calls.set(call.id, { call, owner })
  }

  function settle({ toolCallId, content = '', metadata, error }: JsonObject): void {
    const called = calls.get(toolCallId)
    if (called === undefined) return
    const hasFailed = error !== undefined || (isJsonObject(metadata) && metadata.isError === true)
    const state = hasFailed ? 'error' : 'complete'
    Object.assign(called.call, { state, output: valueIn(content) })
    const failure = hasFailed ? { error: error ?? content } : {}
    called.owner.parts.push({ type: 'tool-result', toolCallId, content, state, ...failure })
  }

  for (const message of messages) {
    const { role, content } = message
    const id = String(message.id)
    if (role === 'user' || role === 'system') show(id, role, textOf(content))
    else if (role === 'reasoning') think(id, content)
    else if (role === 'assistant') answer(id, message)
    else if (role === 'tool') settle(message)
  }
  return shown as unknown as readonly JsonObject[]
}

/** Files have the same shape in both, texts another field. */
function textOf(content: Json | undefined): readonly Part[] {
  if (!Array.isArray(content)) return content === undefined || content === '' ? [] : [{ type: 'text', content }]
  return content
    .filter(isJsonObject)
    .map((part) => (part.type === 'text' ? { type: 'text', content: part.text } : part))
}

function callOf(call: Json): Part {
  const { id, function: called } = call as { readonly id: string; readonly function: JsonObject }
  const { name, arguments: text = '' } = called
  return { type: 'tool-call', id, name, arguments: text, state: 'input-complete', input: valueIn(text) }
}

/** The client reads JSON in a text where there is some. */
function valueIn(text: Json): Json {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
