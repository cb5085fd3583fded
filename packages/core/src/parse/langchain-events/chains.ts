import { present } from '../../data/present.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { isEmpty, keepRaw, metadata } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { originIn } from '../langchain/graph.ts'
import { type LangMessage, readMessage } from '../langchain/message.ts'
import { enter, isInsideTool, type RawEvent, type Row, type Run, rememberMessageId } from './run.ts'

/** The outermost run is the whole run. */
export function startRun(out: Out, { name, metadata: fields }: RawEvent): void {
  out.push({ type: 'run-start', ...present({ agent: textIn(name) }) }, ...metadata(objectIn(fields)))
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
  const scope = enter(newMessages.length === 0 ? [] : out, run, raw, hasProse && isInsideTool(run, raw))
  const { opening = {} } = originIn(objectIn(raw.metadata))
  run.hasQuestion ||= newMessages.some(({ role }) => role === 'user')
  for (const message of newMessages) {
    rememberMessageId(run, message.id)
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
