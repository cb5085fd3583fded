import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import { keepRaw } from '../kit/keep.ts'
import { namesIn } from '../kit/rows.ts'
import type { Out } from '../kit/voice.ts'
import type { Graph } from '../langchain/graph.ts'
import { readMessage, readMessages } from '../langchain/message.ts'

/** One item of a graph's stream: the shape of its record depends on how the stream was requested. */
export interface Item {
  /** What it is: a stream mode, a server's event, or a method of the protocol. */
  readonly mode: string
  readonly namespace: readonly string[]
  readonly data: Json
  /** The node of the item, if the record names it. */
  readonly node?: string | undefined
  readonly sentAt?: number | undefined
  /** In the protocol, `messages` are events; in a stream mode they are messages. */
  readonly isProtocol?: boolean
}

/** Emits the events of an item. */
export type Mode = (out: Out, graph: Graph, item: Item) => void

/** Emits the events of an item whose data is an object. */
export type ObjectMode = (out: Out, graph: Graph, data: JsonObject, item: Item) => void

/** A mode whose data is an object; any other data is kept as it is. */
export const ofObjects =
  (push: ObjectMode): Mode =>
  (out, graph, item) =>
    isJsonObject(item.data) ? push(out, graph, item.data, item) : keepRaw(out, item.data)

export const STREAM_MODES = namesIn('values updates messages custom tasks checkpoints debug tools')

/** The events of a LangGraph server besides the stream modes. */
export const SERVER_EVENTS = namesIn(
  'messages/partial messages/complete messages/metadata messages-tuple metadata error feedback end',
)

/** The events of servers that forward messages in their own envelope. */
export const RELAY_EVENTS = namesIn('message_chunk tool_calls tool_call_chunks tool_call_result interrupt')

/** The item of a record; undefined if the record has none of the shapes. */
export function itemOf(value: unknown, { name }: RawRecord): Item | undefined {
  if (Array.isArray(value)) return fromList(value) ?? fromEventName(name, value)
  // The last event of a server has no data.
  if (!isJsonObject(value)) return name === 'end' ? { mode: name, namespace: [], data: null } : undefined
  return fromEnvelope(value) ?? fromEventName(name, value) ?? fromEventObject(value) ?? fromBareData(value, [])
}

/** `[mode, data]`, `[namespace, mode, data]`, `[namespace, data]` or `[message, metadata]`. */
function fromList(value: readonly Json[]): Item | undefined {
  const [first, second, third] = value
  if (value.length === 3 && isNamespace(first) && isMode(second))
    return { mode: second, namespace: first, data: third as Json }
  if (value.length !== 2) return undefined
  if (isMode(first)) return { mode: first, namespace: [], data: second as Json }
  return isNamespace(first) ? fromBareData(second as Json, first) : fromBareData(value, [])
}

/** `{type, ns, data}`, and the protocol's `{type: 'event', method, params}`. */
function fromEnvelope(value: JsonObject): Item | undefined {
  const { type, ns, data, method, params, interrupts } = value
  const hasInterrupts = interrupts !== undefined && interrupts !== null
  if (isMode(type) && isNamespace(ns) && data !== undefined && (!hasInterrupts || Array.isArray(interrupts))) {
    const state = isJsonObject(data) && hasInterrupts && interrupts.length > 0
    return { mode: type, namespace: ns, data: state ? { ...data, __interrupt__: interrupts } : data }
  }
  if (type !== 'event' || typeof method !== 'string' || !isJsonObject(params)) return undefined
  const { namespace, timestamp, node } = params
  return {
    mode: method,
    namespace: isNamespace(namespace) ? namespace : [],
    data: params.data ?? null,
    node: typeof node === 'string' ? node : undefined,
    sentAt: typeof timestamp === 'number' ? timestamp : undefined,
    isProtocol: true,
  }
}

/** A server-sent event as one record. */
function fromEventObject(value: JsonObject): Item | undefined {
  return typeof value.event === 'string' && value.data !== undefined
    ? fromEventName(value.event, value.data)
    : undefined
}

/** By the name of its event: `mode`, or `mode|namespace|…`. */
function fromEventName(name: string | undefined, data: Json): Item | undefined {
  if (name === undefined) return undefined
  const [mode = '', ...namespace] = name.split('|')
  const isKnown = STREAM_MODES.has(mode) || SERVER_EVENTS.has(mode) || RELAY_EVENTS.has(mode)
  return isKnown ? { mode, namespace, data } : undefined
}

/** The data of the only requested mode: only its shape shows which mode that is. */
function fromBareData(data: Json, namespace: readonly string[]): Item | undefined {
  const mode = bareMode(data)
  return mode === undefined ? undefined : { mode, namespace, data }
}

function bareMode(data: Json): string | undefined {
  if (Array.isArray(data)) {
    return data.length === 2 && isJsonObject(data[1]) && readMessage(data[0]) !== undefined ? 'messages' : undefined
  }
  if (!isJsonObject(data)) return undefined
  if (Array.isArray(data.__interrupt__) || isState(data)) return 'values'
  if (!areUpdates(data)) return undefined
  const updates = Object.values(data)
  return updates.some(hasMessages) || updates.every(isEmpty) ? 'updates' : undefined
}

/** Whether an object may hold the changes of nodes. Only messages in it, or earlier updates, confirm that. */
export function areUpdates(data: unknown): data is JsonObject {
  if (!isJsonObject(data)) return false
  const updates = Object.values(data)
  return updates.length > 0 && updates.every(isUpdate)
}

const isState = (value: Json) => isJsonObject(value) && readMessages(value.messages) !== undefined

function hasMessages(update: Json): boolean {
  if (Array.isArray(update)) return update.some(isState)
  return isState(update) || (isJsonObject(update) && readMessage(update.messages) !== undefined)
}

/** Nodes that change nothing send an empty update. */
export const isEmpty = (update: Json) => update === null || (isJsonObject(update) && Object.keys(update).length === 0)

const isUpdate = (value: Json) => value === null || typeof value === 'object'

const isMode = (value: Json | undefined): value is string => typeof value === 'string' && STREAM_MODES.has(value)

function isNamespace(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}
