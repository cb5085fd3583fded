import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formats } from '@millrace/core/format'
import type { WireFacts } from '@millrace/testkit/format-laws'

/** What the suites must know of each wire, from the file of its name: how a response begins and ends, and who reads it. */
export const wires: { readonly [wire: string]: WireFacts } = Object.fromEntries(
  (await Promise.all(Object.keys(formats).map(factsOf))).flat(),
)

async function factsOf(wire: string): Promise<readonly (readonly [string, WireFacts])[]> {
  const path = join(import.meta.dirname, 'wires', `${wire}.ts`)
  if (!existsSync(path)) return []
  const { facts } = (await import(path)) as { facts: WireFacts }
  return [[wire, facts]]
}
