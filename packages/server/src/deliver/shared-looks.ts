import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Log, Subject } from '../log/log.ts'

/** Something that is looked at when the log says that it may have changed, and sent to viewers as server-sent events. */
export interface Sight<View extends object> {
  /** Viewers with the same key share their looks. */
  readonly key: string
  readonly subject: Subject
  /** Reads the subject as it is now. `before` is the result of the look before this one. */
  look(before: View | undefined): Promise<View>
  /** The events that lead a viewer from one view to a later one, or from nothing; empty if there is no difference. */
  eventsBetween(before: View | undefined, now: View): string
  /** Whether nothing follows this view. */
  isLast(view: View): boolean
}

/** One viewer. It holds the view that it was sent last, and no queue: what changes meanwhile is joined. */
export interface SightViewer {
  /** Resolves with the next events; undefined when nothing follows or the signal has fired. Rejects if a look fails. */
  next(): Promise<Uint8Array | undefined>
  /** MUST be called when nothing more is taken. */
  leave(): void
}

/** Looks at subjects for viewers. However many viewers a subject has, each hint causes one look and one encoding. */
export interface SharedLooks {
  watch<View extends object>(sight: Sight<View>, signal: AbortSignal): SightViewer
}

/** The shortest time between two looks at a subject, in ms. A busy log gives many more hints than a person can see. */
const PAUSE = 50

export function createSharedLooks(log: Pick<Log, 'watch'>, pause = PAUSE): SharedLooks {
  const all = new Map<string, unknown>()

  function sharedLookOf<View extends object>(sight: Sight<View>): SharedLook<View> {
    // The key says what is looked at, so it also decides the type.
    const existing = all.get(sight.key) as SharedLook<View> | undefined
    if (existing?.hasFailed() === false) return existing
    const shared = createSharedLook(log, sight, pause)
    all.set(sight.key, shared)
    return shared
  }

  return {
    watch(sight, signal) {
      const shared = sharedLookOf(sight)
      return createViewer(shared, signal, () => {
        if (shared.leave() === 0 && all.get(sight.key) === shared) all.delete(sight.key)
      })
    },
  }
}

interface SharedLook<View extends object> {
  /** Asks for a look. Returns its number: earlier ones may show the past. */
  join(): number
  /** Returns the number of viewers that are left. */
  leave(): number
  hasFailed(): boolean
  /** The newest view, if it is that of this look or a later one. Throws the error of a look. */
  viewSince(look: number): View | undefined
  eventsBetween(before: View | undefined, now: View): Uint8Array
  isLast(view: View): boolean
  /** Each is called after every look, until it is removed. */
  readonly waiting: Set<() => void>
}

const encoder = new TextEncoder()

function createSharedLook<View extends object>(
  log: Pick<Log, 'watch'>,
  sight: Sight<View>,
  pause: number,
): SharedLook<View> {
  const waiting = new Set<() => void>()
  let members = 0
  let view: View | undefined
  let failure: { readonly error: unknown } | undefined
  let begunLooks = 0
  let doneLooks = 0
  let isLooking = false
  let isDue = false
  /** The events that lead to the newest view, by the view from which they lead. */
  let encoded = new Map<View | undefined, Uint8Array>()

  function request(): void {
    isDue = true
    if (!isLooking) void lookWhileDue()
  }

  async function lookWhileDue(): Promise<void> {
    isLooking = true
    while (isDue && members > 0 && failure === undefined) {
      // One change gives several hints, and its writer may update its own state only after them.
      await setImmediate()
      isDue = false
      await look(++begunLooks)
      await setTimeout(pause, undefined, { ref: false })
    }
    isLooking = false
  }

  async function look(number: number): Promise<void> {
    try {
      view = await sight.look(view)
      doneLooks = number
    } catch (error) {
      failure = { error }
    }
    encoded = new Map()
    for (const wake of [...waiting]) wake()
  }

  const stop = log.watch(sight.subject, request)
  return {
    waiting,
    join() {
      members++
      request()
      return begunLooks + 1
    },
    leave() {
      members--
      if (members === 0) stop()
      return members
    },
    hasFailed: () => failure !== undefined,
    viewSince(number) {
      if (failure !== undefined) throw failure.error
      return doneLooks >= number ? view : undefined
    },
    eventsBetween(before, now) {
      const bytes = encoded.get(before) ?? encoder.encode(sight.eventsBetween(before, now))
      encoded.set(before, bytes)
      return bytes
    },
    isLast: sight.isLast,
  }
}

function createViewer<View extends object>(
  shared: SharedLook<View>,
  signal: AbortSignal,
  leave: () => void,
): SightViewer {
  const first = shared.join()
  let sent: View | undefined

  /** The events that lead to the newest view; undefined if there are none yet. */
  function take(): Uint8Array | undefined {
    const now = shared.viewSince(first)
    if (now === undefined || now === sent) return undefined
    const events = shared.eventsBetween(sent, now)
    sent = now
    return events.length === 0 ? undefined : events
  }

  function nextLook(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        shared.waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      shared.waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  return {
    async next() {
      while (!signal.aborted && (sent === undefined || !shared.isLast(sent))) {
        const events = take()
        if (events !== undefined) return events
        await nextLook()
      }
      return undefined
    },
    leave,
  }
}
