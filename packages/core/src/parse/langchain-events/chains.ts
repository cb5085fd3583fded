import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { type LangMessage, objectOf, readMessage, wordOf } from '../langchain/message.ts'
import type { Scope } from '../langchain/told.ts'
import { SILENT, understood, unmapped } from '../parser.ts'
import type { RawEvent } from './raw.ts'
import { isInsideTool, placeOf, type Run, see } from './run.ts'

/** Chains repeat upwards and downwards what is told by others: only what nobody has told yet is told of them. */
export function chainStart(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const isRoot = run.root === raw.run_id
  const events = tell(run, raw, objectOf(raw.data).input, 'input')
  return isRoot ? [...rootEvents(raw), ...events] : understood(events)
}

/** The outermost run is the whole run. */
export function rootEvents({ name, metadata }: RawEvent): StreamEvent[] {
  return [
    { type: 'run-start', ...present({ agent: wordOf(name) }) },
    ...(isJsonObject(metadata) && Object.keys(metadata).length > 0 ? [{ type: 'metadata' as const, metadata }] : []),
  ]
}

/** A piece of what a chain gives. Pieces of a message, and of text, are told when their model says them. */
export function chainStream(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { chunk } = objectOf(raw.data)
  if (chunk === undefined) return unmapped(raw)
  const parts = Array.isArray(chunk) ? chunk : [chunk]
  const isTold = typeof chunk !== 'object' || parts.some((part) => readMessage(part) !== undefined)
  return isTold ? SILENT : understood(tell(run, raw, chunk, 'output'))
}

export function chainEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  return output === undefined ? unmapped(raw) : understood(tell(run, raw, output, 'output'))
}

function tell(run: Run, raw: RawEvent, value: Json | undefined, what: 'input' | 'output'): readonly StreamEvent[] {
  const found: LangMessage[] = []
  const interrupts: Json[] = []
  const rest = apart(value ?? null, found, interrupts, 0)
  const fresh = found.filter(({ id }) => id === undefined || !run.seen.has(id))
  const says = fresh.some(({ role }) => role !== 'tool')
  const { place, events } = placeOf(run, raw, says && isInsideTool(run, raw))
  const { graph } = run
  run.hasQuestion ||= fresh.some(({ role }) => role === 'user')
  const told = fresh.flatMap((message) => {
    see(run, message.id)
    return graph.teller.whole(message, { ...place, isOneMessage: false, metadata: undefined })
  })
  return [
    ...(fresh.length === 0 ? [] : events),
    ...told,
    ...todoEvents(run, value, place.scope),
    ...restEvents(run, raw, what, rest),
    ...graph.interrupts.ask(interrupts, place.scope),
  ]
}

/** What a template made: the prompt of the model that comes next. */
export function promptEnd(run: Run, raw: RawEvent): readonly StreamEvent[] {
  const { output } = objectOf(raw.data)
  if (output === undefined || output === null) return unmapped(raw)
  return understood(run.graph.states.write('prompt', { made: output }))
}

function todoEvents(run: Run, value: Json | undefined, scope: Scope): StreamEvent[] {
  return isJsonObject(value) ? run.graph.todos.tell(value.todos, scope) : []
}

/** How deep messages are looked for: in a state, in an update of it, in a list of commands. */
const MAX_DEPTH = 5

/** A value without its messages and questions, which are added to those found. Nothing where nothing is left. */
function apart(value: Json, found: LangMessage[], interrupts: Json[], depth: number): Json | undefined {
  const message = readMessage(value)
  if (message !== undefined) {
    found.push(message)
    return undefined
  }
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const rest = value.map((one) => apart(one, found, interrupts, depth + 1)).filter((one) => one !== undefined)
    return rest.length === 0 ? undefined : rest
  }
  const rest: { [field: string]: Json } = {}
  for (const [field, inner] of Object.entries(value as JsonObject)) {
    if (field === '__interrupt__' && Array.isArray(inner)) interrupts.push(...inner)
    else {
      const left = apart(inner, found, interrupts, depth + 1)
      if (left !== undefined) rest[field] = left
    }
  }
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** What is left is state, where a person could read it: routes and ids are not worth it. */
function restEvents(run: Run, { name }: RawEvent, what: string, rest: Json | undefined): StreamEvent[] {
  if (rest === undefined || !isReadable(run, rest)) return []
  return run.graph.states.write(`${wordOf(name) ?? 'chain'}|${what}`, isJsonObject(rest) ? rest : { value: rest })
}

function isReadable(run: Run, value: Json): boolean {
  if (typeof value === 'string') return /\s/.test(value.trim()) && !run.said.has(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner: Json) => isReadable(run, inner))
}
