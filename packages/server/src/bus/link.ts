import { BusError } from './errors.ts'

/** A connection to a server, from the moment at which it is begun. */
export interface Connection {
  /** Resolves when it can be used; rejects if it cannot be made. */
  readonly opened: Promise<unknown>
  /** Resolves if the server answers. */
  check(): Promise<unknown>
  /** Ends it in any state, within about a second. Never rejects. */
  end(): Promise<void>
}

export interface LinkOptions<Own extends Connection> {
  /** Begins a connection. It calls `lost` when the connection fails; of several calls the first counts. */
  connect(lost: (error: unknown) => void): Own
  /** Makes an opened connection complete. `current` is set already. */
  prepare(connection: Own): Promise<unknown> | undefined
  onUp(): void
  /** A connection was lost, or could not be made. */
  onDown(error: unknown): void
  /** A connection has lasted: the outage before it, if there was one, is over. */
  onSteady(): void
}

/** One connection that is made again, for ever, whenever it is lost. */
export interface Link<Own extends Connection> {
  /** The opened connection; undefined while there is none. */
  readonly current: Own | undefined
  /** Whether that connection is complete. */
  readonly isUp: boolean
  /** Resolves when it is up, rejects when the link is closed. */
  whenUp(): Promise<void>
  /** Takes the connection for lost. */
  lose(connection: Own, error: unknown): void
  close(): Promise<void>
}

/** The pauses between attempts, in ms: each is up to twice as long as the one before. */
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 5_000
/** A connection that ends sooner continues the outage before it. */
const STEADY_AFTER = 5_000
const OPEN_WITHIN = 10_000
/** A server that is unplugged says nothing: it must be asked. */
const CHECK_EVERY = 10_000
const ANSWER_WITHIN = 5_000

export function createLink<Own extends Connection>(options: LinkOptions<Own>): Link<Own> {
  let current: Own | undefined
  let up = createUp()
  let isUp = false
  let isClosed = false
  let pause = FIRST_PAUSE
  /** Ends what the link does at the moment: a connection or a pause. */
  let interrupt: (error: unknown) => void = () => undefined

  /** One connection, from its beginning to its end. Resolves with the reason of the end. */
  async function live(): Promise<unknown> {
    const loss = Promise.withResolvers<never>()
    // It may come before anything waits for it.
    loss.promise.catch(() => undefined)
    interrupt = loss.reject
    let connection: Own | undefined
    let stopWatching: () => void = () => undefined
    try {
      connection = options.connect(loss.reject)
      await within(OPEN_WITHIN, Promise.race([connection.opened, loss.promise]))
      current = connection
      await within(OPEN_WITHIN, Promise.race([options.prepare(connection), loss.promise]))
      isUp = true
      up.resolve()
      options.onUp()
      stopWatching = watch(connection, loss.reject)
      return await loss.promise
    } catch (error) {
      return error
    } finally {
      stopWatching()
      current = undefined
      if (isUp) up = createUp()
      isUp = false
      const ended = connection?.end()
      if (isClosed) await ended
    }
  }

  function watch(connection: Own, lost: (error: unknown) => void): () => void {
    const check = setInterval(() => within(ANSWER_WITHIN, connection.check()).catch(lost), CHECK_EVERY)
    const steady = setTimeout(() => {
      pause = FIRST_PAUSE
      options.onSteady()
    }, STEADY_AFTER)
    return () => {
      clearInterval(check)
      clearTimeout(steady)
    }
  }

  async function keep(): Promise<void> {
    while (!isClosed) {
      const error = await live()
      if (isClosed) break
      options.onDown(error)
      // Nodes that lost a server at the same time do not come back at the same time.
      await rest(pause * (1 - Math.random() / 2))
      pause = Math.min(2 * pause, LONGEST_PAUSE)
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const kept = keep()
  return {
    get current() {
      return current
    },
    get isUp() {
      return isUp
    },
    whenUp: () => up.promise,
    lose(connection, error) {
      if (connection === current) interrupt(error)
    },
    async close() {
      isClosed = true
      interrupt(undefined)
      await kept
      up.reject(new BusError('bus-closed', 'become ready'))
    },
  }
}

/** Nobody may wait for it: then its rejection concerns nobody. */
function createUp(): PromiseWithResolvers<void> {
  const up = Promise.withResolvers<void>()
  up.promise.catch(() => undefined)
  return up
}

/** Rejects if it takes longer. */
async function within(ms: number, operation: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`The server has not answered within ${ms / 1_000} s.`)), ms)
  try {
    await Promise.race([operation, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
