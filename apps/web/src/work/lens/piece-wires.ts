import type { RunInfo } from '@millrace/core/client'
import type { Entry } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'
import { chunksOf, createFeatureCounter, type SentChunk } from '@millrace/core/lens'
import { useEffect, useMemo, useState } from 'react'
import { type WireFacts, wireFactsOf } from '../../wires/wire-facts.ts'

/** What each wire cannot carry of a piece. A message of somebody else is a feature of its own. */
export function pieceWires(
  entries: readonly Entry[],
  own: readonly number[],
  role: ChatEvent['role'] | undefined,
): readonly WireFacts[] {
  const features = createFeatureCounter()
  if (role !== undefined && role !== 'assistant') features.note({ type: 'message-start', messageId: '', role })
  for (const seq of own) {
    const event = entries[seq - 1]?.event
    if (event !== undefined) features.note(event)
  }
  return wireFactsOf(features.counts())
}

export interface SentPiece {
  readonly chunks: readonly SentChunk[]
  readonly bytes: number
}

const encoder = new TextEncoder()

function sentOver(wire: string, entries: readonly Entry[], own: readonly number[], run: RunIds): SentPiece {
  const chunks = chunksOf(wire, entries, own, run)
  const bytes = chunks.reduce((sum, { chunk }) => sum + encoder.encode(JSON.stringify(chunk)).length, 0)
  return { chunks, bytes }
}

type RunIds = { readonly runId: string; readonly threadId: string }

/** A wire is played from the first entry: up to this many at once, more of them wire by wire. */
const AT_ONCE = 3_000

/** The chunks of a piece on each of these wires; those that are missing are being made. */
export function useSentPieces(
  wires: readonly string[],
  entries: readonly Entry[],
  own: readonly number[],
  run: Pick<RunInfo, 'id' | 'threadId'>,
): ReadonlyMap<string, SentPiece> {
  const { id: runId, threadId } = run
  const isShort = (own.at(-1) ?? 0) <= AT_ONCE
  const [later, setLater] = useState<ReadonlyMap<string, SentPiece>>(new Map())
  const names = wires.join(' ')
  // An entry after the piece may carry what was held back: so the length counts, too.
  const length = Math.min(entries.length, (own.at(-1) ?? 0) + 200)
  const key = `${runId} ${own[0]} ${own.length} ${length}`
  const atOnce = useMemo(
    () =>
      new Map(isShort ? names.split(' ').map((wire) => [wire, sentOver(wire, entries, own, { runId, threadId })]) : []),
    // The entries are one list that grows; the key says how far.
    [names, key, threadId, isShort],
  )
  useEffect(() => {
    setLater(new Map())
    if (isShort) return
    let isOpen = true
    const made = new Map<string, SentPiece>()
    const make = ([wire, ...rest]: readonly string[]) => {
      if (!isOpen || wire === undefined) return
      made.set(wire, sentOver(wire, entries, own, { runId, threadId }))
      setLater(new Map(made))
      setTimeout(make, 0, rest)
    }
    setTimeout(make, 0, names.split(' '))
    return () => {
      isOpen = false
    }
  }, [names, key, threadId, isShort])
  return isShort ? atOnce : later
}
