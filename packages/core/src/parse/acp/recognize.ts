import { isJsonObject } from '../../json.ts'
import type { RawRecord } from '../../source/source.ts'
import type { Recognition } from '../parser.ts'
import { notificationOf, unwrap } from './envelope.ts'

const METHODS = /^(session\/|fs\/(read|write)_text_file$|terminal\/|elicitation\/)/

/** An answer is recognised by its fields: many protocols use JSON-RPC. */
const RESULTS = ['stopReason', 'outcome', 'agentCapabilities', 'sessionId', 'terminalId']

export function recognize({ value }: RawRecord): Recognition | undefined {
  const message = unwrap(value)
  if (message === undefined) return undefined
  const { method, params, result } = message
  if (method === 'session/update' && isJsonObject(params) && notificationOf(params) !== undefined) {
    return { certainty: 1, reason: 'a record is an ACP session/update' }
  }
  if (method !== undefined) {
    if (METHODS.test(method)) return { certainty: 0.9, reason: `a record is an ACP ${method}` }
    const isAcp = method === 'initialize' && isJsonObject(params) && isJsonObject(params.clientCapabilities)
    return { certainty: isAcp ? 0.9 : 0.3, reason: 'a record is a JSON-RPC request' }
  }
  const isAcp = isJsonObject(result) && RESULTS.some((field) => field in result)
  return { certainty: isAcp ? 0.8 : 0.4, reason: 'a record is a JSON-RPC answer' }
}
