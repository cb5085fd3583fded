import { present } from '../../data/present.ts'
import type { RunError } from '../../event-fields.ts'
import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { stateOf, type TaskState } from './states.ts'

/** A message in either spelling, its role that of 0.3. */
export interface Message {
  readonly messageId?: Json
  readonly taskId?: Json
  readonly contextId?: Json
  readonly role: 'user' | 'agent'
  readonly parts: readonly JsonObject[]
  readonly metadata?: Json
  readonly extensions?: Json
  readonly referenceTaskIds?: Json
}

export interface Status {
  readonly state: TaskState
  readonly message: Message | undefined
  readonly timestamp: Json | undefined
}

export interface Artifact {
  readonly id: string
  readonly name: string | undefined
  readonly parts: readonly JsonObject[]
  /** What nothing else holds: a description, metadata. */
  readonly more: object
}

interface InTask {
  readonly taskId: Json | undefined
  readonly contextId: Json | undefined
  readonly metadata: Json | undefined
}

export interface Failure {
  readonly kind: 'failure'
  readonly error: JsonObject
}

/** What a record says, in one spelling. */
export type Result =
  | {
      readonly kind: 'task'
      readonly id: Json | undefined
      readonly contextId: Json | undefined
      readonly status: Status
      readonly history: readonly Message[]
      readonly artifacts: readonly Artifact[]
      readonly metadata: Json | undefined
    }
  | { readonly kind: 'message'; readonly message: Message }
  | ({ readonly kind: 'status-update'; readonly status: Status; readonly isFinal: boolean } & InTask)
  | ({
      readonly kind: 'artifact-update'
      readonly artifact: Artifact
      readonly isAppended: boolean
      readonly isLast: boolean
    } & InTask)
  | Failure

type Kind = Exclude<Result['kind'], 'failure'>

/** The names of the kinds: the word in `kind` of 0.3, and the members of 1.0, in JSON's spelling and in that of proto. */
const kinds: { readonly [name: string]: Kind | undefined } = {
  __proto__: null as never,
  task: 'task',
  message: 'message',
  msg: 'message',
  'status-update': 'status-update',
  statusUpdate: 'status-update',
  'artifact-update': 'artifact-update',
  artifactUpdate: 'artifact-update',
}

/** A record of the protocol, before its fields are read. */
export type Found =
  | { readonly kind: Kind; readonly value: JsonObject }
  | { readonly kind: 'failure'; readonly value: JsonObject }

/** The result that a record holds; undefined if it is not of the protocol. */
export function findResult(value: unknown): Found | undefined {
  if (!isJsonObject(value)) return undefined
  if (value.jsonrpc === undefined) return findBare(value)
  if (value.method !== undefined) return undefined
  if (isJsonObject(value.error)) return { kind: 'failure', value: value.error }
  return isJsonObject(value.result) ? findBare(value.result) : undefined
}

function findBare(value: JsonObject): Found | undefined {
  const word = kinds[String(value.kind)] ?? (isBareTask(value) ? 'task' : undefined)
  const members = Object.keys(value)
  const [member = ''] = members
  const kind = word ?? (members.length === 1 ? kinds[camel(member)] : undefined)
  const inner = word === undefined ? value[member] : value
  if (kind === undefined || !isJsonObject(inner)) return undefined
  const result = inCamelCase(inner)
  return marks[kind](result) ? { kind, value: result } : undefined
}

/** A task that was asked for, in 1.0: without a member that names it. */
function isBareTask({ id, contextId, context_id = contextId, status }: JsonObject): boolean {
  return isText(id) && isText(context_id) && isJsonObject(status) && /^TASK_STATE_/.test(String(status.state))
}

/** What every result of a kind has. A message of role `user` is no answer of the agent. */
const marks: { readonly [Name in Kind]: (value: JsonObject) => boolean } = {
  task: ({ status }) => isJsonObject(status) && status.state !== undefined,
  message: ({ messageId, parts, content, role }) =>
    isText(messageId) && Array.isArray(parts ?? content) && !isUser(role),
  'status-update': ({ status }) => isJsonObject(status) && status.state !== undefined,
  'artifact-update': ({ artifact }) => isJsonObject(artifact),
}

/** Reads the fields of a result. Throws if one has a strange value. */
export function readResult({ kind, value }: Found): Result {
  return kind === 'failure' ? { kind, error: value } : readers[kind](value)
}

const readers: { readonly [Name in Kind]: (value: JsonObject) => Result } = {
  task: ({ id, contextId, status, history, artifacts, metadata }) => ({
    kind: 'task',
    id,
    contextId,
    status: statusOf(status as JsonObject),
    history: listOf(history).map(messageOf),
    artifacts: listOf(artifacts).map(artifactOf),
    metadata,
  }),
  message: (value) => ({ kind: 'message', message: messageOf(value) }),
  'status-update': ({ taskId, contextId, status, final, metadata }) => ({
    kind: 'status-update',
    taskId,
    contextId,
    status: statusOf(status as JsonObject),
    isFinal: final === true,
    metadata,
  }),
  'artifact-update': ({ taskId, contextId, artifact, append, lastChunk, metadata }) => ({
    kind: 'artifact-update',
    taskId,
    contextId,
    artifact: artifactOf(artifact as JsonObject),
    isAppended: append === true,
    isLast: lastChunk === true,
    metadata,
  }),
}

/** A list of objects; an absent one is empty. */
function listOf(value: Json | undefined): readonly JsonObject[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw new TypeError('no list of objects')
  return value
}

const isUser = (role: Json | undefined) => /user$/i.test(String(role))

function messageOf(raw: JsonObject): Message {
  const { role, content, parts = content, ...fields } = inCamelCase(raw)
  return { ...fields, role: isUser(role) ? 'user' : 'agent', parts: listOf(parts) }
}

function statusOf(raw: JsonObject): Status {
  const { state, update, message = update, timestamp } = inCamelCase(raw)
  if (message !== undefined && !isJsonObject(message)) throw new TypeError('no message')
  return { state: stateOf(state), message: message && messageOf(message), timestamp }
}

function artifactOf(raw: JsonObject): Artifact {
  const { artifactId, name, parts, ...more } = inCamelCase(raw)
  return { id: textIn(artifactId) ?? 'artifact', name: textIn(name), parts: listOf(parts), more: filled(more) }
}

/** Servers fill in empty fields. */
function filled(fields: JsonObject): object {
  const isEmptyList = (value: Json | undefined) => Array.isArray(value) && value.length === 0
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && !isEmptyList(value)))
}

export function errorOf({ code, message }: JsonObject): RunError {
  const words = textIn(message) ?? 'The request failed.'
  return { message: words, ...(code !== undefined && code !== null && { code: String(code) }) }
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** The fields in the spelling of JSON, without those that are null. Dumps of Python have that of proto. */
export function inCamelCase(value: JsonObject): JsonObject {
  if (isInCamelCase(value)) return value
  return present(Object.fromEntries(Object.entries(value).map(([name, field]) => [camel(name), field]))) as JsonObject
}

/** Most records: nothing is copied. */
function isInCamelCase(value: JsonObject): boolean {
  for (const name in value) if (value[name] === null || name.includes('_')) return false
  return true
}
