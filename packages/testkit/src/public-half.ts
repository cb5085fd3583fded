import type { Chunk } from '@millrace/core/wire'
import type { Verdict } from './law.ts'
import { type PublicRun, publicRunOf } from './public-run.ts'
import { same } from './verdicts.ts'
import { chunksOf, type WireCase } from './wire-laws.ts'

/** What there is to say about a run. */
export const aspects = [
  'texts',
  'reasonings',
  'citations',
  'signatures',
  'tools',
  'questions',
  'sources',
  'files',
  'todos',
  'subagents',
  'statuses',
  'data',
  'errors',
  'order',
  'owners',
  'steps',
  'state',
  'usage',
  'outcome',
] as const

export type Aspect = (typeof aspects)[number]

/** What a reader learned, by aspect. */
export type Reading = { readonly [A in Aspect]?: unknown }

/**
 * The public half of a wire: what a client learns that knows the protocol and nothing of us. Each aspect of a run has
 * the value that the client must end with, in the form in which the protocol says it; or a sentence, if only our own
 * fields say it.
 */
export interface PublicHalf {
  /** A chunk without what only our own readers know. Without this function, all fields named `millrace` are left out. */
  strip?(chunk: Chunk): Chunk | undefined
  /** Whether a run cannot be compared: somebody else uses the names of the wire's own parts, or a position is not certain. */
  isAmbiguous?(run: PublicRun): boolean
  read(chunks: readonly Chunk[]): Reading | Promise<Reading>
  readonly says: { readonly [A in Aspect]: ((run: PublicRun) => unknown) | { readonly privateOnly: string } }
}

/** What the reader learns of a run is what the fold shows, and our own fields change none of it. */
export async function* publicVerdicts({ wire, facts, entries }: WireCase): AsyncGenerator<Verdict> {
  const chunks = chunksOf(wire, entries).flat()
  const { publicHalf } = facts
  if ('none' in publicHalf) return
  const { says, read, strip = withoutMillrace } = publicHalf
  const run = publicRunOf(entries, wire.losses)
  if (publicHalf.isAmbiguous?.(run) === true) return
  const reading = await read(chunks.map((chunk) => strip(chunk)).filter((chunk) => chunk !== undefined))
  // The same again would be half of the time that this law takes: short runs suffice.
  const whole = entries.length > SHORT ? reading : await read(chunks)
  for (const aspect of aspects) {
    const expected = says[aspect]
    if (typeof expected === 'function') {
      yield same(asJson(reading[aspect]), asJson(expected(run)), aspect)
      yield same(asJson(whole[aspect]), asJson(reading[aspect]), `${aspect}, with our fields`)
    } else yield reading[aspect] === undefined ? undefined : `${aspect} is read, but declared as private`
  }
}

/** The most entries of a run that is also read with our own fields. */
const SHORT = 48

/** Absent and undefined are the same. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

/** A value without the fields named `millrace`, at any depth. */
export function withoutMillrace<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutMillrace) as Value
  const kept = Object.entries(value).filter(([field]) => field !== 'millrace')
  return Object.fromEntries(kept.map(([field, inner]) => [field, withoutMillrace(inner)])) as Value
}
