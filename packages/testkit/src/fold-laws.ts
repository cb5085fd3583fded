import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '@millrace/core/events'
import { type ChatEvent, createFold, fold, type RunSnapshot, type Segment } from '@millrace/core/fold'
import type { Effort, Law } from './law.ts'
import { sample, upTo } from './seeded.ts'
import { doesNotThrow, same } from './verdicts.ts'

/** The entries of one run. */
export interface Run {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** Each law over one run. */
export const foldLaws: readonly Law<Run>[] = [
  {
    promise: 'folds to the same snapshot wherever it is cut, the first part read back through JSON',
    *check({ entries }, effort) {
      const whole = fold(entries)
      for (const k of prefixesOf(entries, effort)) {
        const parts = createFold()
        parts.push(throughJson(entries.slice(0, k)))
        parts.snapshot()
        parts.push(entries.slice(k))
        yield same(parts.snapshot(), whole, `cut after ${k} entries`)
      }
    },
  },
  {
    promise: 'folds each prefix at once as it folds it entry by entry, live or stored',
    *check({ entries }, effort) {
      const live = createFold()
      const wanted = new Set(prefixesOf(entries, effort))
      for (const [index, entry] of entries.entries()) {
        live.push([entry])
        const snapshot = live.snapshot()
        if (!wanted.has(index + 1)) continue
        const prefix = entries.slice(0, index + 1)
        yield same(snapshot, fold(prefix), `after ${index + 1} entries, stored`)
        yield same(throughJson(snapshot), fold(throughJson(prefix)), `after ${index + 1} entries, through JSON`)
      }
    },
  },
  {
    promise: 'changes none of the entries it is given',
    *check({ entries }) {
      const frozen = deepFrozen(throughJson(entries))
      yield doesNotThrow(() => {
        const live = createFold()
        for (const entry of frozen) {
          live.push([entry])
          live.snapshot()
        }
        return undefined
      }, 'frozen entries')
    },
  },
  {
    promise: 'never changes a snapshot that it gave away',
    *check({ entries }, effort) {
      const live = createFold()
      const wanted = new Set(prefixesOf(entries, effort))
      const taken: { at: number; snapshot: RunSnapshot; copy: string }[] = []
      for (const [index, entry] of entries.entries()) {
        live.push([entry])
        const snapshot = live.snapshot()
        if (wanted.has(index)) taken.push({ at: index + 1, snapshot, copy: JSON.stringify(snapshot) })
      }
      for (const { at, snapshot, copy } of taken) {
        yield JSON.stringify(snapshot) === copy ? undefined : `the snapshot after ${at} entries changed later`
      }
    },
  },
  {
    promise: 'keeps the identity of every segment that an entry does not change',
    *check({ entries }) {
      const live = createFold()
      let before = live.snapshot()
      for (const entry of entries) {
        live.push([entry])
        const after = live.snapshot()
        const lost = lostIdentity(before, after)
        yield lost === undefined ? undefined : `entry ${entry.seq} (${entry.event.type}) made ${lost} anew`
        before = after
      }
    },
  },
  {
    promise: 'ignores entries that it has applied already',
    *check({ entries }, effort) {
      const whole = fold(entries)
      for (const k of prefixesOf(entries, effort)) {
        const again = createFold()
        again.push(entries.slice(0, k))
        const before = again.snapshot()
        again.push(entries.slice(Math.max(0, k - 3), k))
        yield again.snapshot() === before ? undefined : `a repeat after ${k} entries gives another snapshot`
        again.push(entries.slice(Math.max(0, k - 3)))
        yield same(again.snapshot(), whole, `repeated from entry ${k - 3}`)
      }
    },
  },
]

function prefixesOf(entries: readonly Entry[], { prefixes, seed }: Effort): readonly number[] {
  return sample(upTo(entries.length), prefixes, seed)
}

function throughJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFrozen)
  }
  return value
}

/** A chat event or segment that is equal to the previous one at its position and yet another object. */
function lostIdentity(before: RunSnapshot, after: RunSnapshot): string | undefined {
  return lostIn(before.chatEvents, after.chatEvents)
}

function lostIn(before: readonly (ChatEvent | Segment)[], after: readonly (ChatEvent | Segment)[]): string | undefined {
  for (const [index, piece] of before.entries()) {
    const now = after[index]
    if (now === undefined || now === piece) continue
    if (isDeepStrictEqual(now, piece)) return `an equal ${'type' in piece ? piece.type : 'chat event'}`
    if (!('segments' in piece && 'segments' in now)) continue
    const lost = lostIn(piece.segments, now.segments)
    if (lost !== undefined) return lost
  }
  return undefined
}
