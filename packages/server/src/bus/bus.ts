import type { BusError } from './errors.ts'

/**
 * Tells every process that something has changed. Each message arrives once and in order while no connection is lost and
 * there is not too much to send; otherwise messages are dropped, doubled and reordered. The log is the truth: a message only
 * says that a look is worth it. `busSuite` checks these promises.
 */
export interface Bus {
  /**
   * Sends a message to all listeners of the topic, in this process and in others. Never throws, never waits. A message
   * that cannot be sent whole (the server is gone or slow, or it is longer than `largestMessage`) becomes an empty one.
   */
  publish(topic: string, message: string): void
  /**
   * Calls the listener with each message of the topic, never before this function or `publish` has returned, until the
   * returned function is called. Calls it with '' whenever it may have missed a message: when a subscription has reached
   * the server, and after a lost connection. A listener that throws disturbs no other.
   */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /**
   * Resolves when messages of others reach the subscriptions so far, and messages of this bus reach others. MUST reject
   * with `bus-closed` if the bus is closed, also meanwhile.
   */
  ready(): Promise<void>
  /** Sends what was published, unless that takes long, and ends its connections. No listener is called any more. */
  close(): Promise<void>
}

export interface BusOptions {
  /** The address of the server of a shared member. */
  readonly url: string
  /** Buses of one server with different scopes do not hear each other; default: `millrace`. */
  readonly scope?: string
  /** Called once per outage, however long it is: when the server is lost, or is not there at the start. */
  readonly report: (error: BusError) => void
}

/** One member of the `bus` family. */
export interface BusMember {
  /** Why its messages reach this process only; absent: they reach all processes that open it with the same URL. */
  readonly confined?: string
  /** A longer message, in bytes of UTF-8, becomes an empty one. */
  readonly largestMessage: number
  /** Does not wait for the server. MUST throw `wrong-url` for a URL that is not valid. */
  open(options: BusOptions): Promise<Bus>
}
