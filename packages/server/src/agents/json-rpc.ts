import { isJsonObject, type Json, type JsonObject } from '@millrace/core/json'

/** A connection on which both sides send requests. Each side counts its own ids. */
export interface Peer {
  request(method: string, params: object): Promise<JsonObject>
  notify(method: string, params?: object): void
  /** Takes a message of the other side. */
  receive(message: unknown): void
  /** The other side is gone: what is awaited rejects. */
  close(): void
}

export interface PeerOptions {
  /** The members that every message has. */
  readonly envelope: JsonObject
  send(message: object): void
  /** Answers a request; undefined for a method that is unknown. */
  answer(method: string, params: JsonObject, id: string | number): Promise<object> | undefined
  onNotification(method: string, params: JsonObject): void
}

/** What the other side answers instead of a result. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

const UNKNOWN_METHOD = -32601
const FAILED = -32603

export function createPeer({ envelope, send, answer, onNotification }: PeerOptions): Peer {
  const pending = new Map<Json, PromiseWithResolvers<JsonObject>>()
  let nextId = 0

  async function reply(method: string, params: JsonObject, id: string | number): Promise<void> {
    const answered = answer(method, params, id)
    // Refused at once: the other side may wait for it.
    const unknown = { code: UNKNOWN_METHOD, message: `The method "${method}" is not available.` }
    if (answered === undefined) return send({ ...envelope, id, error: unknown })
    try {
      send({ ...envelope, id, result: await answered })
    } catch (error) {
      send({ ...envelope, id, error: { code: FAILED, message: String(error) } })
    }
  }

  function settle(id: Json | undefined, { result, error }: JsonObject): void {
    const waiting = pending.get(id ?? null)
    pending.delete(id ?? null)
    if (isJsonObject(error))
      waiting?.reject(new RpcError(String(error.message ?? 'The request failed.'), Number(error.code)))
    else waiting?.resolve(isJsonObject(result) ? result : {})
  }

  return {
    request(method, params) {
      const id = nextId++
      const waiting = Promise.withResolvers<JsonObject>()
      pending.set(id, waiting)
      send({ ...envelope, id, method, params })
      return waiting.promise
    },
    notify: (method, params = {}) => send({ ...envelope, method, params }),
    receive(message) {
      if (!isJsonObject(message)) return
      const { id, method } = message
      const params = isJsonObject(message.params) ? message.params : {}
      if (typeof method !== 'string') settle(id, message)
      else if (typeof id === 'string' || typeof id === 'number') void reply(method, params, id)
      else onNotification(method, params)
    },
    close() {
      for (const { promise, reject } of pending.values()) {
        promise.catch(() => undefined)
        reject(new RpcError('The program has ended.', FAILED))
      }
      pending.clear()
    },
  }
}
