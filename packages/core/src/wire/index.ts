import { StreamError } from '../errors.ts'
import { agUi } from './ag-ui.ts'
import { agentEvent } from './agent-event.ts'
import { aiSdk } from './ai-sdk.ts'
import { dsAgent } from './ds-agent.ts'
import { eventSegments } from './event-segments.ts'
import { native } from './native.ts'
import type { Wire } from './wire.ts'

/** The registry: one line per wire. The key is its `--to` and `wire=` value. */
export const wires = {
  native,
  'ai-sdk': aiSdk,
  'ag-ui': agUi,
  'agent-event': agentEvent,
  'event-segments': eventSegments,
  'ds-agent': dsAgent,
} as const satisfies { readonly [name: string]: Wire }

export type WireName = keyof typeof wires

const registered = new Map<string, Wire>()

/**
 * Adds a wire to this process, under a new name or in place of a wire of the registry. The returned function removes it.
 * MUST NOT be called for a wire that streams are open on: viewers of one run share what is written for them.
 */
export function registerWire(name: string, wire: Wire): () => void {
  registered.set(name, wire)
  return () => {
    if (registered.get(name) === wire) registered.delete(name)
  }
}

/** The registry, with the wires that were added to this process. */
export function allWires(): { readonly [name: string]: Wire } {
  return { ...wires, ...Object.fromEntries(registered) }
}

/** The wire with this name. Throws `unknown-wire`. */
export function getWire(name: string): Wire {
  const added = registered.get(name)
  if (added !== undefined) return added
  if (!Object.hasOwn(wires, name)) throw new StreamError('unknown-wire', name)
  return wires[name as WireName]
}
