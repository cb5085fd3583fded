import type { ThreadDetail } from '@millrace/core/api'

/** What one program found about one promise. A promise that is not kept fails the proof. */
export interface SwitchRow {
  readonly promise: string
  readonly kept: boolean
  /** What was seen; if the promise is not kept, what was seen instead. */
  readonly note: string
}

/** What the system does and Millrace does otherwise, with the reason. */
interface Difference {
  readonly what: string
  readonly why: string
}

/** A running `millrace serve` of packed packages, in a folder of its own. */
export interface SwitchServer {
  /** The working folder of the server, in which the packages are installed. */
  readonly folder: string
  /** Such as `http://127.0.0.1:4870`. */
  readonly origin: string
  readonly token: string
  /** The header that carries the token. */
  readonly headers: { readonly authorization: string }
  /** A thread as the server has folded it. */
  thread(threadId: string): Promise<ThreadDetail>
}

/**
 * The client or producer of one system, with the frames that this system sends and expects. It knows Millrace's address and
 * nothing else of it; how it ends is compared with the fold.
 */
export interface SwitchProgram {
  readonly name: string
  /** One sentence: what the system's own client or producer does here. */
  readonly title: string
  /** Files of the server's folder, by their path, written before it starts: agents, settings, programs. */
  readonly files?: { readonly [path: string]: string }
  /** Further arguments of `serve`. */
  readonly serve?: readonly string[]
  readonly differs: readonly Difference[]
  /** What the app shows of it: names of pictures in docs/images, and what is in them. */
  readonly pictures?: { readonly [name: string]: string }
  run(server: SwitchServer): Promise<readonly SwitchRow[]>
}

/** A row that is kept if both values are the same JSON. */
export function same(promise: string, actual: unknown, expected: unknown, seen: string): SwitchRow {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  const kept = found === wanted
  return { promise, kept, note: kept ? seen : `expected ${wanted}, not ${found}`.slice(0, 2_000) }
}

/** A row for a condition. */
export function holds(promise: string, kept: boolean, note: string): SwitchRow {
  return { promise, kept, note }
}
