import type { Entry } from '../entry.ts'
import type { StreamEvent } from '../events.ts'
import { getWire } from './index.ts'
import type { Chunk, WireOptions } from './wire.ts'

/** A chunk, with the entry at which it was sent. */
export interface SentChunk {
  readonly seq: number
  readonly chunk: Chunk
  /** The entry is not of the piece: the wire sends what the piece has later, with something else. */
  readonly isLater?: true
}

/** How many entries behind the last of a piece are searched for what a wire has held back. */
const SEARCHED = 200

/** The fields that name a piece, in every event. */
const NAMES = ['callId', 'blockId', 'agentId', 'listId', 'approvalId', 'fileId', 'sourceId'] as const

/**
 * The chunks that carry a piece on one wire, in order: those that are sent at its entries, and later ones that name it. The
 * entries are those of the run from the first: what a wire sends depends on all that came before.
 */
export function chunksOf(
  wire: string,
  entries: readonly Entry[],
  own: readonly number[],
  options: WireOptions,
): readonly SentChunk[] {
  const state = getWire(wire).create(options)
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return []
  const ownEntries = new Set(own)
  const names = namesOf(own.flatMap((seq) => entries[seq - 1] ?? []))
  return entries.slice(0, last + SEARCHED).flatMap((entry): readonly SentChunk[] => {
    const chunks = state.push(entry)
    const { seq, event } = entry
    if (ownEntries.has(seq)) {
      if (chunks.length === 0) names.add(contentOf(event))
      return chunks.map((chunk) => ({ seq, chunk }))
    }
    if (seq < first || chunks.length === 0) return []
    return chunks.filter((chunk) => isNamed(chunk, names)).map((chunk) => ({ seq, chunk, isLater: true as const }))
  })
}

/** What is added to a later chunk is the event itself. */
const contentOf = (event: StreamEvent) => JSON.stringify(event).slice(1, -1)

function namesOf(entries: readonly Entry[]): Set<string> {
  const names = new Set<string>()
  for (const { event } of entries) {
    const fields: { readonly [field: string]: unknown } = { ...event }
    // What a subagent says and does has its id, too.
    const own = event.type.startsWith('subagent-') ? NAMES : NAMES.filter((field) => field !== 'agentId')
    for (const field of own) if (typeof fields[field] === 'string') names.add(JSON.stringify(fields[field]))
  }
  return names
}

function isNamed(chunk: Chunk, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false
  const text = JSON.stringify(chunk)
  return [...names].some((name) => text.includes(name))
}
