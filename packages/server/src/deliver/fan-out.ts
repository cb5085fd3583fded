import { getWire } from '@millrace/core/wire'
import { LogError } from '../log/errors.ts'
import type { Log } from '../log/log.ts'
import { Convoy } from './convoy.ts'
import { cursorText } from './cursor.ts'
import { type ConvoyGroup, type ConvoySource, Viewer, type Watch } from './viewer.ts'

/** Delivers runs to viewers. What many viewers need is read, written to the wire and encoded once. */
export interface FanOut {
  watch(watch: Watch): Viewer
}

/** Called when a viewer comes (1) or leaves (-1). */
export type OnViewers = (watch: Pick<Watch, 'wire' | 'threadId'>, change: 1 | -1) => void

/**
 * Viewers at about the same position form a convoy. A viewer that reaches the position of another convoy joins it; one that
 * falls behind starts its own. A wire's state is deterministic, so chunks and cursors are the same in every convoy.
 */
export function createFanOut(log: Pick<Log, 'lines'>, onViewers: OnViewers = () => {}): FanOut {
  const all = new Map<string, ConvoyGroup>()

  function createConvoy({ runId, threadId, wire, profile, messageId }: Watch, after: number): Convoy {
    const options = { ...(profile !== undefined && { profile }), ...(messageId !== undefined && { messageId }) }
    const member = getWire(wire)
    return new Convoy({
      ...(member.sendsEntries !== true && { wireState: member.create({ runId, threadId, ...options }) }),
      after,
      lines: log.lines(runId, { after, live: true }),
      cursorOf: cursorText(member),
    })
  }

  const source: ConvoySource = {
    enter(key) {
      const group = all.get(key) ?? { convoys: [] }
      all.set(key, group)
      return group
    },
    leave(key, group, watch) {
      onViewers(watch, -1)
      if (group.convoys.length === 0 && all.get(key) === group) all.delete(key)
    },
    /** The convoy that has what a viewer needs next: its own, another one that is further, or a new one. */
    convoyFor(watch, group, own, position) {
      if (own?.covers(position) && position < own.after) return own
      let isElder = true
      for (const other of group.convoys) {
        if (other === own) isElder = false
        // Of two convoys at the same position the older one stays, so that no viewer moves back and forth.
        else if (other.covers(position) && (isElder || other.after > position)) return other
      }
      if (own !== undefined && own.after <= position) return own
      const isWhole = getWire(watch.wire).hasWholeEntries === true
      for (const other of group.convoys) if (!isWhole && other.isUnderWay && other.after <= position) return other
      const convoy = createConvoy(watch, isWhole ? position : 0)
      // Most runs have one convoy, and a first push would make room for seventeen.
      group.convoys = group.convoys.concat(convoy)
      return convoy
    },
  }

  return {
    watch(watch) {
      const viewer = new Viewer(source, watch)
      onViewers(watch, 1)
      return viewer
    },
  }
}

/** The log reports its own errors, and a deleted run is none; any other error is a fault of the wire or of this server. */
export function throwUnlessOfLog(error: unknown): void {
  if (!(error instanceof LogError)) throw error
}
