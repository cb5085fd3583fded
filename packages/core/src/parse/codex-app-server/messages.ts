import { isJsonObject, isText, type JsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'

/** A message of either side. The server's own carry no version. */
export interface Rpc {
  readonly id?: string | number | null
  readonly method?: string
  readonly params: JsonObject
  readonly result?: JsonObject
  readonly error?: JsonObject
  readonly emittedAtMs?: number
}

/** The fields in which logs of a connection hold the message. */
const WRAPPERS = ['frame', 'message', 'payload', 'data'] as const

/** The message of a record, which may be a line of a log; undefined if there is none. */
export function messageOf(value: unknown): Rpc | undefined {
  if (!isJsonObject(value)) return undefined
  const inner = WRAPPERS.map((key) => value[key]).find((each) => isJsonObject(each) && isMessage(each))
  const message = isMessage(value) ? value : inner
  if (!isJsonObject(message)) return undefined
  const { params } = message
  return { ...message, params: isJsonObject(params) ? params : {} } as Rpc
}

const isMessage = ({ method, result, error, id }: JsonObject) =>
  isText(method) || ((isText(id) || typeof id === 'number') && (isJsonObject(result) || isJsonObject(error)))

/** Methods that are Codex's alone. */
const OWN = /^(?:thread|turn|item)\//

export function recognize({ value }: RawRecord): Recognition | undefined {
  const message = messageOf(value)
  if (message === undefined) return undefined
  const { method, params, result } = message
  if (method === undefined) {
    const isOwn = isJsonObject(result) && (isJsonObject(result.thread) || isJsonObject(result.turn))
    return isOwn ? { certainty: 0.9, reason: 'a record is an answer of Codex' } : undefined
  }
  const hasThread = isText(params.threadId) || isJsonObject(params.thread) || method === 'thread/start'
  if (OWN.test(method) && hasThread) return { certainty: 1, reason: `a record is Codex's ${method}` }
  const isAround = /^(?:account|mcpServer|remoteControl|skills|app|serverRequest|hook)\//.test(method)
  return isAround ? { certainty: 0.7, reason: `a record is Codex's ${method}` } : undefined
}
