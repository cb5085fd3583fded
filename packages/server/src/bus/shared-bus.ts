import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Bus, BusOptions } from './bus.ts'
import { BusError, sentenceOf } from './errors.ts'
import { type Connection, createLink } from './link.ts'
import { createListeners } from './listeners.ts'
import { createCodec, isLonger } from './messages.ts'
import { namesIn } from './names.ts'
import { createOutbox, type Outgoing } from './outbox.ts'

/** What a shared member maps: how its server is listened to, and how messages are sent. */
export interface Transport {
  readonly largestMessage: number
  /** The pause after each batch of messages, in ms. */
  readonly pause: number
  listen(heard: (incoming: Outgoing) => void, lost: (error: unknown) => void): Listening
  send(lost: (error: unknown) => void): Sending
}

export interface Listening extends Connection {
  /** Resolves when messages of these names are heard; undefined if they are heard already. */
  follow(names: readonly string[]): Promise<unknown> | undefined
  /** Messages of the name are no longer needed. */
  leave(name: string): void
}

export interface Sending extends Connection {
  send(batch: readonly Outgoing[]): Promise<unknown>
}

/** In ms. */
const FLUSH_WITHIN = 1_000

/** A bus over a server, with a connection that listens and one that sends: the promises of every shared member. */
export function createSharedBus(transport: Transport, { scope = 'millrace', report }: BusOptions): Bus {
  const names = namesIn(scope)
  const codec = createCodec()
  const outbox = createOutbox({ name: names.everyone, text: codec.encode('') })
  const follows = new Set<Promise<void>>()
  let isFlushing = false
  let flushed: Promise<void> | undefined
  let closed: Promise<void> | undefined

  const listeners = createListeners({ began: follow, ended: (name) => listening.current?.leave(name) })
  const health = createHealth(report)

  const listening = createLink<Listening>({
    connect: (lost) => transport.listen(hear, lost),
    prepare: (connection) => connection.follow([names.everyone, ...listeners.names()]),
    onUp: listeners.callAll,
    ...health('listening'),
  })

  const sending = createLink<Sending>({
    connect: transport.send,
    prepare: () => undefined,
    onUp: flush,
    ...health('sending'),
  })

  function follow(name: string): void {
    const connection = listening.current
    const following = connection?.follow([name])
    if (connection === undefined || following === undefined) return
    const followed = following.then(
      // What was published until now has not been heard.
      () => listeners.call(name, ''),
      (error: unknown) => listening.lose(connection, error),
    )
    follows.add(followed)
    followed.finally(() => follows.delete(followed))
  }

  function hear({ name, text }: Outgoing): void {
    const message = codec.decode(text)
    if (message === undefined) return
    if (name === names.everyone) listeners.callAll()
    else listeners.call(name, message)
  }

  function flush(): void {
    if (sending.isUp && !isFlushing) flushed = sendAll()
  }

  /** Until nothing is left, or the connection is lost. */
  async function sendAll(): Promise<void> {
    isFlushing = true
    // What is published at the same time goes into the same batch.
    await setImmediate()
    for (let connection = sending.current; connection && !outbox.isEmpty; connection = sending.current) {
      const batch = outbox.take()
      try {
        await connection.send(batch)
      } catch (error) {
        outbox.putBack(batch)
        sending.lose(connection, error)
        break
      }
      if (transport.pause > 0) await setTimeout(transport.pause)
    }
    isFlushing = false
  }

  async function close(): Promise<void> {
    listeners.clear()
    if (isFlushing) await Promise.race([flushed, setTimeout(FLUSH_WITHIN, undefined, { ref: false })])
    await Promise.all([listening.close(), sending.close()])
  }

  return {
    publish(topic, message) {
      if (closed) return
      const name = names.ofTopic(topic)
      const sent = isLonger(message, transport.largestMessage) ? '' : message
      // The listeners of this process need no server.
      queueMicrotask(() => listeners.call(name, sent))
      outbox.add({ name, text: codec.encode(sent) })
      flush()
    },
    subscribe: (topic, listener) => (closed ? () => undefined : listeners.add(names.ofTopic(topic), listener)),
    async ready() {
      do {
        await listening.whenUp()
        await Promise.all(follows)
      } while (!listening.isUp)
      await sending.whenUp()
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

type LinkName = 'listening' | 'sending'

/** Reports an outage once, though it concerns both connections. */
function createHealth(report: BusOptions['report']) {
  const failing = new Set<LinkName>()
  return (name: LinkName) => ({
    onDown(error: unknown) {
      const isNew = failing.size === 0
      failing.add(name)
      try {
        if (isNew) report(new BusError('bus-lost', sentenceOf(error), { cause: error }))
      } catch (fault) {
        process.emitWarning(fault instanceof Error ? fault : String(fault))
      }
    },
    onSteady: () => void failing.delete(name),
  })
}
