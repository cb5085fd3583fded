import { isJsonObject, type Json } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import { contentPartsOf } from '../langchain/content-parts.ts'
import { type LangMessage, readMessage } from '../langchain/message.ts'
import { enter, originOf, type RawEvent, type Row, type Run, rememberMessageId, rememberText } from './run.ts'

/** A model starts. Prompts that are new are emitted. */
export const modelStart: Row = (out, run, raw, { input }) => {
  const { emitter, states } = run.graph
  const prompts = isJsonObject(input) ? (input.messages ?? input.prompts ?? input) : (input ?? null)
  const origin = originOf(out, run, raw)
  const newPrompts = flat(prompts).filter((prompt) => isNewPrompt(run, prompt))
  const isFirst = !run.hasQuestion && origin.scope.agent.agentId === undefined
  run.hasQuestion = true
  const otherPrompts: Json[] = []
  for (const prompt of newPrompts) {
    rememberText(run, keyOf(prompt))
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
  else run.graph.emitter.chunk(out, message, originOf(out, run, raw))
}

/** The whole message. What was streamed of it is not emitted again. */
export const modelEnd: Row = (out, run, raw, { output = null }) => {
  const { emitter } = run.graph
  const message = messageOf(generated(output), raw)
  if (message === undefined && output === null) emitter.endAll(out, enter([], run, raw, true))
  else if (message === undefined) keepRaw(out, raw)
  else {
    const origin = originOf(out, run, raw)
    rememberMessageId(run, message.id)
    for (const part of contentPartsOf(message)) if (part.kind === 'text') rememberText(run, part.text)
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
