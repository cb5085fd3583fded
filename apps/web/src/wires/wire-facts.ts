import { type Feature, features, type Loss, lossesOf } from '@millrace/core/losses'
import { type Wire, wires } from '@millrace/core/wire'

/** What one wire carries of one run. */
export interface WireFacts {
  readonly wire: string
  /** What it cannot carry of the run. */
  readonly losses: readonly Loss[]
  /** How many features it cannot carry that the run does not have. */
  readonly untouched: number
  readonly profiles: readonly string[]
}

const registry: readonly (readonly [name: string, wire: Wire])[] = Object.entries(wires)

/** Every wire, and what it cannot carry of a run that has these features. */
export function wireFactsOf(seen: ReadonlyMap<Feature, number>): readonly WireFacts[] {
  return registry.map(([wire, { losses, profiles }]) => {
    const lost = lossesOf(losses, seen)
    return { wire, losses: lost, untouched: Object.keys(losses).length - lost.length, profiles }
  })
}

/** The wire that is open at first: the first one that may lose something. */
export const shownFirst: string | undefined = registry.find(([, { losses }]) => Object.keys(losses).length > 0)?.[0]

export interface StreamAddress {
  readonly kind: string
  readonly url: string
}

/** The addresses of a run's streams over a wire. */
export function streamAddresses(origin: string, runId: string, wire: string): readonly StreamAddress[] {
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
