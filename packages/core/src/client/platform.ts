/** The part of `fetch` that is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The part of the Web Locks API that is used here. */
export interface Locks {
  request(
    name: string,
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    hold: () => Promise<void>,
  ): Promise<unknown>
}

/** The part of `BroadcastChannel` that is used here. */
export interface Channel {
  postMessage(message: unknown): void
  close(): void
  onmessage: ((event: { readonly data: unknown }) => void) | null
}

/** `online`: the network has changed, so an open socket is useless. `visible`: the page was hidden. */
export type Wake = 'online' | 'visible'

/** Everything that a store needs from its environment. */
export interface Platform {
  readonly fetch: Fetch
  /** Milliseconds. */
  readonly now: () => number
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Calls once, later. The returned function cancels it. */
  readonly setTimer: (milliseconds: number, call: () => void) => () => void
  /** Calls once, when the next frame is drawn. */
  readonly schedule: (call: () => void) => void
  /** Calls whenever a connection should be checked. The returned function unsubscribes. */
  readonly onWake: (call: (wake: Wake) => void) => () => void
  /** Calls whenever the page is hidden. The returned function unsubscribes. */
  readonly onHide: (call: () => void) => () => void
  readonly isOnline: () => boolean
  readonly isHidden: () => boolean
  /** The locks by which tabs share a connection; absent outside of a page. */
  readonly locks?: Locks
  readonly openChannel?: (name: string) => Channel
}

export type PlatformOptions = Partial<Platform>

interface Events {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
}

/** The globals that a page has and Node does not. */
interface PageGlobals extends Partial<Events> {
  readonly document?: Events & { readonly visibilityState: string }
  readonly navigator?: { readonly onLine?: boolean; readonly locks?: Locks }
  readonly requestAnimationFrame?: (call: () => void) => unknown
  readonly BroadcastChannel?: new (name: string) => Channel
}

/** The duration of a frame at 60 Hz in ms, for environments without frames. */
const FRAME = 16

/** How long to wait for a frame, in ms: a frame requested before the page was hidden is not drawn. */
const LATE_FRAME = 250

const globals = globalThis as unknown as PageGlobals

export function platformOf(options: PlatformOptions): Platform {
  return { ...defaults(), ...withoutUndefined(options) }
}

function defaults(): Platform {
  const { navigator, BroadcastChannel } = globals
  const isPage = globals.document !== undefined
  return {
    fetch: (url, init) => globalThis.fetch(url, init),
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer,
    schedule,
    onWake,
    onHide,
    isOnline: () => navigator?.onLine !== false,
    isHidden,
    ...(isPage && navigator?.locks !== undefined && { locks: navigator.locks }),
    ...(isPage && BroadcastChannel !== undefined && { openChannel: (name: string) => new BroadcastChannel(name) }),
  }
}

const isHidden = () => globals.document?.visibilityState === 'hidden'

function setTimer(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds)
  return () => clearTimeout(timer)
}

function schedule(call: () => void): void {
  if (globals.requestAnimationFrame === undefined || isHidden()) {
    setTimeout(call, FRAME)
    return
  }
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    clearTimeout(late)
    call()
  }
  const late = setTimeout(once, LATE_FRAME)
  globals.requestAnimationFrame(once)
}

function onWake(call: (wake: Wake) => void): () => void {
  const { document } = globals
  const online = () => call('online')
  const visible = () => {
    if (!isHidden()) call('visible')
  }
  globals.addEventListener?.('online', online)
  globals.addEventListener?.('pageshow', visible)
  document?.addEventListener('visibilitychange', visible)
  return () => {
    globals.removeEventListener?.('online', online)
    globals.removeEventListener?.('pageshow', visible)
    document?.removeEventListener('visibilitychange', visible)
  }
}

function onHide(call: () => void): () => void {
  const { document } = globals
  const changed = () => {
    if (isHidden()) call()
  }
  document?.addEventListener('visibilitychange', changed)
  return () => document?.removeEventListener('visibilitychange', changed)
}

/** An option with the value `undefined` counts as absent. */
function withoutUndefined(options: PlatformOptions): PlatformOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

export interface Credentials {
  /** Sent as a bearer token. Without it the browser's cookie identifies the person. */
  readonly token?: string
}

export function headersOf(
  { token }: Credentials,
  headers: { readonly [name: string]: string },
): Record<string, string> {
  return token === undefined ? { ...headers } : { ...headers, authorization: `Bearer ${token}` }
}
