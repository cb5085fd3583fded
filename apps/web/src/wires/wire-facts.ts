import { type Feature, features, type Loss, lossesOf } from '@millrace/core/losses'
import { wires } from '@millrace/core/wire'
import type { Wire } from '@millrace/core/wire/wire'

/** What one wire makes of one run. */
export interface WireFacts {
  readonly wire: string
  /** What it cannot carry of the run. */
  readonly losses: readonly Loss[]
  /** How many other things it cannot say, none of which the run has. */
  readonly untouched: number
  readonly profiles: readonly string[]
}

const registry: readonly (readonly [wire: string, format: Wire])[] = Object.entries(wires)

/** Every wire, and what it cannot carry of a run in which this was seen. */
export function wireFactsOf(seen: ReadonlyMap<Feature, number>): readonly WireFacts[] {
  return registry.map(([wire, { losses, profiles }]) => {
    const lost = lossesOf(losses, seen)
    return { wire, losses: lost, untouched: Object.keys(losses).length - lost.length, profiles }
  })
}

/** The wire that is shown open before anybody has chosen: the first that may lose something. */
export const shownFirst: string | undefined = registry.find(([, { losses }]) => Object.keys(losses).length > 0)?.[0]

export interface Address {
  readonly kind: string
  readonly url: string
}

/** Where a run is watched over a wire. */
export function addressesOf(origin: string, runId: string, wire: string): readonly Address[] {
  const run = `${origin}/api/runs/${encodeURIComponent(runId)}`
  return [
    { kind: 'SSE', url: `${run}/stream?wire=${encodeURIComponent(wire)}` },
    { kind: 'WebSocket', url: `${run.replace(/^http/, 'ws')}/ws?wire=${encodeURIComponent(wire)}` },
  ]
}

/** `Messages of others`. */
export function featureTitle(feature: Feature): string {
  const words = features[feature]
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `status lines, plans`. */
export const lossesText = (losses: readonly Loss[]): string => losses.map(({ feature }) => features[feature]).join(', ')
