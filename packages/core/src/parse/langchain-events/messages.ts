import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { isEmpty, keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { contentPartsOf } from '../langchain/content-parts.ts'
import { originIn } from '../langchain/graph.ts'
import { type LangMessage, readMessage } from '../langchain/message.ts'
import type { RawEvent, Row, Run } from './run.ts'

/** A model starts. Prompts that are new are emitted. */
export const modelStart: Row = (out, run, raw, { input }) => {
  const { emitter, states } = run.graph
  const prompts = isJsonObject(input) ? (input.messages ?? input.prompts ?? input) : (input ?? null)
  const origin = run.originOf(out, raw)
  const newPrompts = flat(prompts).filter((prompt) => isNewPrompt(run, prompt))
  const isFirst = !run.hasQuestion && origin.scope.agent.agentId === undefined
  run.hasQuestion = true
  const otherPrompts: Json[] = []
  for (const prompt of newPrompts) {
    run.rememberText(keyOf(prompt))
    const message = readMessage(prompt)
    if (isFirst && message?.role === 'user') emitter.whole(out, message, { ...origin, isOneMessage: false })
    else otherPrompts.push(promptOf(prompt))
  }
  const channel = ['prompt', origin.scope.key].filter(Boolean).join('|')
  if (otherPrompts.length > 0) states.write(out, channel, { messages: otherPrompts })
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
  return message === undefined ? prompt : { role: message.role, content: message.content }
}

export const modelStream: Row = (out, run, raw, { chunk }) => {
  const message = messageOf(chunk ?? null, raw)
  if (message === undefined) keepRaw(out, raw)
  else run.graph.emitter.chunk(out, message, run.originOf(out, raw))
}

/** The whole message. What was streamed of it is not emitted again. */
export const modelEnd: Row = (out, run, raw, { output = null }) => {
  const { emitter } = run.graph
  const message = messageOf(generated(output), raw)
  if (message === undefined && output === null) emitter.endAll(out, run.enter([], raw, true))
  else if (message === undefined) keepRaw(out, raw)
  else {
    const origin = run.originOf(out, raw)
    run.rememberMessageId(message.id)
    for (const part of contentPartsOf(message)) if (part.kind === 'text') run.rememberText(part.text)
    emitter.whole(out, message, origin)
  }
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
  const text = isJsonObject(value) ? value.text : value
  if (typeof text !== 'string') return undefined
  return readMessage({ type: 'AIMessageChunk', content: text, id: textIn(run_id) ?? null })
}

/** Chains repeat in their inputs and outputs what other events hold. Only what is new is emitted. */
export const chainStart: Row = (out, run, raw, { input }) => pushNew(out, run, raw, input, 'input')

/** A part of the output of a chain. Messages and text are left out, because the events of their model hold them. */
export const chainStream: Row = (out, run, raw, { chunk }) => {
  const parts = Array.isArray(chunk) ? chunk : [chunk]
  const isMessagePart = typeof chunk !== 'object' || parts.some((part) => readMessage(part) !== undefined)
  if (chunk === undefined) keepRaw(out, raw)
  else if (!isMessagePart) pushNew(out, run, raw, chunk, 'output')
}

export const chainEnd: Row = (out, run, raw, { output }) =>
  output === undefined ? keepRaw(out, raw) : pushNew(out, run, raw, output, 'output')

/** The output of a template: the prompt of the next model. */
export const promptEnd: Row = (out, { graph }, raw, { output }) =>
  output === undefined || output === null ? keepRaw(out, raw) : graph.states.write(out, 'prompt', { made: output })

function pushNew(out: Out, run: Run, raw: RawEvent, value: Json | undefined, what: 'input' | 'output'): void {
  const { graph } = run
  const found: LangMessage[] = []
  const interrupts: Json[] = []
  const remainder = withoutMessages(value ?? null, found, interrupts, 0)
  const newMessages = found.filter(({ id }) => id === undefined || !run.messageIds.has(id))
  const hasProse = newMessages.some(({ role }) => role !== 'tool')
  // A graph is shown as soon as it has messages.
  const scope = run.enter(newMessages.length === 0 ? [] : out, raw, hasProse && run.isInsideTool(raw))
  const { opening = {} } = originIn(objectIn(raw.metadata))
  run.hasQuestion ||= newMessages.some(({ role }) => role === 'user')
  for (const message of newMessages) {
    run.rememberMessageId(message.id)
    graph.emitter.whole(out, message, { scope, opening, task: textIn(raw.run_id) })
  }
  graph.states.setTodos(out, objectIn(value).todos, scope)
  // The remainder is emitted as state if it has readable text. Routes and ids are left out.
  if (remainder !== undefined && isReadable(run, remainder)) {
    const fields = isJsonObject(remainder) ? remainder : { value: remainder }
    graph.states.write(out, `${textIn(raw.name) ?? 'chain'}|${what}`, fields)
  }
  graph.interrupts.ask(out, interrupts, scope)
}

/** How deep messages are searched: in a state, in an update of it, in a list of commands. */
const MAX_DEPTH = 5

/** A value without its messages and questions, which are added to the lists; undefined if nothing remains. */
function withoutMessages(value: Json, found: LangMessage[], interrupts: Json[], depth: number): Json | undefined {
  const message = readMessage(value)
  if (message !== undefined) {
    found.push(message)
    return undefined
  }
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return value
  const remainderOf = (inner: Json) => withoutMessages(inner, found, interrupts, depth + 1)
  if (Array.isArray(value)) {
    const remainder = value.map(remainderOf).filter((one) => one !== undefined)
    return remainder.length === 0 ? undefined : remainder
  }
  const remainder: { [field: string]: Json } = {}
  for (const [field, inner] of Object.entries(value)) {
    const isQuestions = field === '__interrupt__' && Array.isArray(inner)
    if (isQuestions) interrupts.push(...inner)
    const keptInner = isQuestions ? undefined : remainderOf(inner)
    if (keptInner !== undefined) remainder[field] = keptInner
  }
  return isEmpty(remainder) ? undefined : remainder
}

function isReadable(run: Run, value: Json): boolean {
  if (typeof value === 'string') return /\s/.test(value.trim()) && !run.recentTexts.has(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner: Json) => isReadable(run, inner))
}
