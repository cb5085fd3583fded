import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { wires } from '@millrace/core/wire'
import type { WireFacts } from '@millrace/testkit/wire-laws'
import type { Transport, Viewer } from './watch-all.ts'

/** A wire with a client of its own, and how that client is connected. */
export interface WatchedWire extends WireFacts {
  /** How the wire's own clients connect; undefined if the wire has no client but the fold. */
  readonly viewer: Transport | undefined
  /** The facts of its profiles that differ from its own. */
  readonly profiles?: { readonly [profile: string]: WireFacts }
}

/** What the suites must know of each wire, from the file with its name in `facts/`. */
export const wireFacts: { readonly [wire: string]: WatchedWire } = Object.fromEntries(
  (await Promise.all(Object.keys(wires).map(factsOf))).flat(),
)

/** A viewer for each wire that has clients of its own, over their transport. Some are cut and resume. */
export const viewers: readonly Viewer[] = Object.entries(wireFacts).flatMap(([wire, { viewer }]) =>
  viewer === undefined ? [] : [{ wire, ...viewer }],
)

async function factsOf(wire: string): Promise<readonly (readonly [string, WatchedWire])[]> {
  const path = join(import.meta.dirname, 'facts', `${wire}.ts`)
  if (!existsSync(path)) return []
  const { facts } = (await import(path)) as { facts: WatchedWire }
  return [[wire, facts]]
}
