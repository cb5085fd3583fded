import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { contentPartsOf } from '../langchain/content-parts.ts'
import { type LangMessage, objectOf, readMessage, wordOf } from '../langchain/message.ts'
import { understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { originOf, type Run, rememberMessageId, rememberText } from './run.ts'

/** A model starts. Prompts that are new are emitted. */
export function modelStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { input } = objectOf(raw.data)
  const prompts = isJsonObject(input) ? (input.messages ?? input.prompts ?? input) : (input ?? null)
  const list = flat(prompts)
  const { place: origin, events } = originOf(run, raw, true)
  const { emitter: teller, states } = run.graph
  const newPrompts = list.filter((prompt) => isNewPrompt(run, prompt))
  const isFirst = !run.hasQuestion && origin.scope.agentId === undefined
  run.hasQuestion = true
  const questions = isFirst ? newPrompts.map(readMessage).filter((message) => message?.role === 'user') : []
  for (const prompt of newPrompts) rememberText(run, keyOf(prompt))
  const otherPrompts = newPrompts.filter((prompt) => !isFirst || readMessage(prompt)?.role !== 'user').map(promptOf)
  return understood([
    ...events,
    ...questions.flatMap((message) => (message ? teller.whole(message, { ...origin, isOneMessage: false }) : [])),
    ...(otherPrompts.length === 0
      ? []
      : states.write(['prompt', origin.scope.key].filter(Boolean).join('|'), { messages: otherPrompts })),
  ])
}

/** Flattens nested lists, as models take prompts in batches. */
const flat = (value: Json): readonly Json[] => (Array.isArray(value) ? value.flatMap(flat) : [value])

/** Whether a prompt is new: neither an emitted message, nor an earlier prompt, nor a tool message. */
function isNewPrompt(run: Run, prompt: Json): boolean {
  if (run.recentTexts.has(keyOf(prompt))) return false
  const message = readMessage(prompt)
  if (message === undefined) return typeof prompt === 'string' ? /\s/.test(prompt) : isJsonObject(prompt)
  return !run.messageIds.has(message.id ?? '') && message.role !== 'tool'
}

const keyOf = (prompt: Json) => (typeof prompt === 'string' ? prompt : JSON.stringify(promptOf(prompt)))

function promptOf(prompt: Json): Json {
  const message = readMessage(prompt)
  return message === undefined ? prompt : { role: message.role, content: message.content as Json }
}

export function modelStream(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { chunk } = objectOf(raw.data)
  const message = messageOf(chunk ?? null, raw)
  if (message === undefined) return unmapped(raw)
  const { place: origin, events } = originOf(run, raw, true)
  const messageEvents = run.graph.emitter.chunk({ ...message, isChunk: true }, origin)
  return events.length === 0 ? understood(messageEvents) : [...events, ...messageEvents]
}

/** The whole message. What was streamed of it is not emitted again. */
export function modelEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  const message = messageOf(generated(output ?? null), raw)
  if (message === undefined)
    return output === undefined || output === null ? understood(endOf(run, raw)) : unmapped(raw)
  const { place: origin, events } = originOf(run, raw, true)
  rememberMessageId(run, message.id)
  for (const part of contentPartsOf(message)) if (part.kind === 'text') rememberText(run, part.text)
  return understood([...events, ...run.graph.emitter.whole(message, origin)])
}

function endOf(run: Run, raw: RawEvent): StreamEvent[] {
  return run.graph.emitter.endAll(originOf(run, raw, true).place.scope)
}

/** Older versions have nested lists of generations, of which the first is the answer. */
function generated(output: Json): Json {
  const generations = isJsonObject(output) ? output.generations : undefined
  if (!Array.isArray(generations)) return output
  const first = flat(generations)[0] ?? null
  return isJsonObject(first) && first.message !== undefined ? first.message : first
}

/** A message, or the bare text of a model without messages. */
function messageOf(value: Json, { run_id }: RawEvent): LangMessage | undefined {
  const message = readMessage(value)
  if (message !== undefined) return message.role === 'assistant' ? message : undefined
  const text = typeof value === 'string' ? value : isJsonObject(value) ? value.text : undefined
  if (typeof text !== 'string') return undefined
  return readMessage({ type: 'AIMessageChunk', content: text, id: wordOf(run_id) ?? null })
}
