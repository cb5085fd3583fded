import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { GraphScope } from '../langchain/emitted-message.ts'
import { type LangMessage, objectOf, readMessage, wordOf } from '../langchain/message.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { isInsideTool, originOf, type Run, rememberMessageId } from './run.ts'

/** Chains repeat in their inputs and outputs what other events hold. Only what is new is emitted. */
export function chainStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const isRoot = run.root === raw.run_id
  const events = chainEvents(run, raw, objectOf(raw.data).input, 'input')
  return isRoot ? [...rootEvents(raw), ...events] : understood(events)
}

/** The outermost run is the whole run. */
export function rootEvents({ name, metadata }: RawEvent): StreamEvent[] {
  return [
    { type: 'run-start', ...present({ agent: wordOf(name) }) },
    ...(isJsonObject(metadata) && Object.keys(metadata).length > 0 ? [{ type: 'metadata' as const, metadata }] : []),
  ]
}

/** A part of the output of a chain. Messages and text are left out, because the events of their model hold them. */
export function chainStream(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { chunk } = objectOf(raw.data)
  if (chunk === undefined) return unmapped(raw)
  const parts = Array.isArray(chunk) ? chunk : [chunk]
  const isMessagePart = typeof chunk !== 'object' || parts.some((part) => readMessage(part) !== undefined)
  return isMessagePart ? SILENT : understood(chainEvents(run, raw, chunk, 'output'))
}

export function chainEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  return output === undefined ? unmapped(raw) : understood(chainEvents(run, raw, output, 'output'))
}

function chainEvents(
  run: Run,
  raw: RawEvent,
  value: Json | undefined,
  what: 'input' | 'output',
): readonly StreamEvent[] {
  const found: LangMessage[] = []
  const interrupts: Json[] = []
  const remainder = withoutMessages(value ?? null, found, interrupts, 0)
  const newMessages = found.filter(({ id }) => id === undefined || !run.messageIds.has(id))
  const hasProse = newMessages.some(({ role }) => role !== 'tool')
  const { place: origin, events } = originOf(run, raw, hasProse && isInsideTool(run, raw))
  const { graph } = run
  run.hasQuestion ||= newMessages.some(({ role }) => role === 'user')
  const messageEvents = newMessages.flatMap((message) => {
    rememberMessageId(run, message.id)
    return graph.emitter.whole(message, { ...origin, isOneMessage: false, metadata: undefined })
  })
  return [
    ...(newMessages.length === 0 ? [] : events),
    ...messageEvents,
    ...todoEvents(run, value, origin.scope),
    ...remainderEvents(run, raw, what, remainder),
    ...graph.interrupts.ask(interrupts, origin.scope),
  ]
}

/** The output of a template: the prompt of the next model. */
export function promptEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  if (output === undefined || output === null) return unmapped(raw)
  return understood(run.graph.states.write('prompt', { made: output }))
}

function todoEvents(run: Run, value: Json | undefined, scope: GraphScope): StreamEvent[] {
  return isJsonObject(value) ? run.graph.todos.set(value.todos, scope) : []
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
  if (Array.isArray(value)) {
    const remainder = value
      .map((one) => withoutMessages(one, found, interrupts, depth + 1))
      .filter((one) => one !== undefined)
    return remainder.length === 0 ? undefined : remainder
  }
  const remainder: { [field: string]: Json } = {}
  for (const [field, inner] of Object.entries(value as JsonObject)) {
    if (field === '__interrupt__' && Array.isArray(inner)) interrupts.push(...inner)
    else {
      const keptInner = withoutMessages(inner, found, interrupts, depth + 1)
      if (keptInner !== undefined) remainder[field] = keptInner
    }
  }
  return Object.keys(remainder).length === 0 ? undefined : remainder
}

/** The remainder is emitted as state if it has readable text. Routes and ids are left out. */
function remainderEvents(run: Run, { name }: RawEvent, what: string, remainder: Json | undefined): StreamEvent[] {
  if (remainder === undefined || !isReadable(run, remainder)) return []
  return run.graph.states.write(
    `${wordOf(name) ?? 'chain'}|${what}`,
    isJsonObject(remainder) ? remainder : { value: remainder },
  )
}

function isReadable(run: Run, value: Json): boolean {
  if (typeof value === 'string') return /\s/.test(value.trim()) && !run.recentTexts.has(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner: Json) => isReadable(run, inner))
}
