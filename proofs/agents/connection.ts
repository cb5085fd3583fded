import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '@millrace/core/json'

/** The kinds of messages of a connection, each with the fields that its messages have. */
export type Connection = { readonly [kind: string]: readonly string[] }

interface Recorded {
  readonly version: string
  /** Kinds and fields that not every run has: `KIND`, or `KIND FIELD`. */
  readonly sometimes: readonly string[]
  readonly connection: Connection
}

interface TraceLine {
  readonly from: 'millrace' | 'program'
  readonly line: string
}

/** Fields whose values are words of the protocol. */
const WORDS = new Set([
  'type',
  'subtype',
  'status',
  'kind',
  'sessionUpdate',
  'stopReason',
  'decision',
  'behavior',
  'outcome',
])
/** What the script or a person has written: it is no part of the protocol. */
const CONTENT = new Set(['input', 'rawInput', 'updatedInput', 'rawOutput', 'tool_use_result', 'toolArgs'])

/** All connections of a folder of traces as one. */
export function connectionIn(traces: string): Connection {
  const kinds = new Map<string, Set<string>>()
  for (const file of readdirSync(traces)) {
    const methods = new Map<string, string>()
    for (const text of readFileSync(join(traces, file), 'utf8').trim().split('\n')) {
      const { from, line } = JSON.parse(text) as TraceLine
      const message = objectOf(line)
      const kind = `${from}: ${message === undefined ? 'no JSON' : kindOf(message, from, methods)}`
      const fields = kinds.get(kind) ?? new Set()
      kinds.set(kind, fields)
      if (message !== undefined) for (const field of fieldsOf(message, '')) fields.add(field)
    }
  }
  const sorted = [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted.map(([kind, fields]) => [kind, [...fields].sort()]))
}

function objectOf(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A request by its method, an answer by that of its request, else what the message calls itself. */
function kindOf(message: JsonObject, from: TraceLine['from'], methods: Map<string, string>): string {
  const { method, id } = message
  const other = from === 'program' ? 'millrace' : 'program'
  if (typeof method === 'string') {
    if (id !== undefined) methods.set(`${from} ${id}`, method)
    const update = isJsonObject(message.params) && isJsonObject(message.params.update) ? message.params.update : {}
    return [method, update.sessionUpdate].filter((word) => word !== undefined).join(' ')
  }
  if ('result' in message || 'error' in message) {
    return `${'error' in message ? 'error' : 'answer'} to ${methods.get(`${other} ${id}`) ?? 'nothing'}`
  }
  const inner = [message.event, message.request, message.response].find(isJsonObject) ?? {}
  return [message.type, message.subtype, inner.type ?? inner.subtype].filter((word) => word !== undefined).join(' ')
}

function* fieldsOf(value: JsonObject, path: string): Iterable<string> {
  for (const [name, field] of Object.entries(value)) {
    const here = `${path}.${name}`
    yield WORDS.has(name) && typeof field === 'string' ? `${here}=${field}` : here
    if (CONTENT.has(name)) continue
    const inner = Array.isArray(field) ? field : [field]
    for (const each of inner) if (isJsonObject(each)) yield* fieldsOf(each, Array.isArray(field) ? `${here}[]` : here)
  }
}

/** Each kind, and each kind with a field, as one line. */
const linesOf = (connection: Connection) =>
  Object.entries(connection).flatMap(([kind, fields]) => [kind, ...fields.map((field) => `${kind} ${field}`)])

const pathOf = (name: string) => join(import.meta.dirname, 'wires', `${name}.json`)

/** What the connection has that the recorded one has not, and the other way round. */
export function changesOf(name: string, connection: Connection): readonly string[] {
  if (!existsSync(pathOf(name))) return [`no connection of ${name} is recorded: npm run agents -- --record ${name}`]
  const { connection: before, sometimes } = JSON.parse(readFileSync(pathOf(name), 'utf8')) as Recorded
  const [now, recorded, optional] = [new Set(linesOf(connection)), new Set(linesOf(before)), new Set(sometimes)]
  const isOptional = (line: string) => [...optional].some((each) => line === each || line.startsWith(`${each} `))
  return [
    ...[...now].filter((line) => !recorded.has(line)).map((line) => `new: ${line}`),
    ...[...recorded].filter((line) => !now.has(line) && !isOptional(line)).map((line) => `gone: ${line}`),
  ]
}

/** Records the connection. What one of two recordings of a version lacks is not in every run. */
export function record(name: string, version: string, connection: Connection): void {
  const before = existsSync(pathOf(name)) ? (JSON.parse(readFileSync(pathOf(name), 'utf8')) as Recorded) : undefined
  const isSame = before?.version === version
  const old = isSame ? before.connection : {}
  const kinds = [...new Set([...Object.keys(old), ...Object.keys(connection)])].sort()
  const all = kinds.map((kind) => [kind, [...new Set([...(old[kind] ?? []), ...(connection[kind] ?? [])])].sort()])
  const missing = (lines: readonly string[], others: readonly string[]) => {
    const has = new Set(others)
    return lines.filter((line) => !has.has(line))
  }
  const [then, now] = [linesOf(old), linesOf(connection)]
  const sometimes = isSame ? [...before.sometimes, ...missing(then, now), ...missing(now, then)] : []
  const recorded = { version, sometimes: [...new Set(sometimes)].sort(), connection: Object.fromEntries(all) }
  writeFileSync(pathOf(name), `${JSON.stringify(recorded, undefined, 2)}\n`)
}
