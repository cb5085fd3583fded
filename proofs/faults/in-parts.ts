import { atOnce } from './at-once.ts'
import type { Fault, Rounds, Size } from './fault.ts'
import type { PartFile } from './part-files.ts'
import type { Finding } from './report.ts'
import { addedTallies, type Part, rangesOf, stretchesLeft } from './rounds.ts'

export interface InParts {
  readonly fault: Fault
  readonly rounds: Rounds
  readonly size: Size
  /** Of the first round. */
  readonly seed: number
  /** How many stores are tried at once. */
  readonly lanes: number
  /** Where parts are kept, and found again; undefined if they are not kept. */
  readonly file: PartFile | undefined
  /** Called after each part, with everything so far. */
  readonly onPart: (part: Part, soFar: Finding) => void
}

/** Plays the rounds that no kept part has, and resolves with all of them together. */
export async function tryInParts({ fault, rounds, size, seed, lanes, file, onPart }: InParts): Promise<Finding> {
  const played: Part[] = []
  // Others may play other rounds of the same fault meanwhile.
  const parts = () => file?.parts() ?? played
  const missing = stretchesLeft({ seed, count: size.count }, 1, parts()).length
  // Several lanes have something to do although there are few rounds.
  const most = Math.min(rounds.perStore, Math.ceil(missing / lanes))
  const left = stretchesLeft({ seed, count: size.count }, most, parts())
  await atOnce(lanes, left, async (stretch) => {
    const began = performance.now()
    const { broken, tally } = await rounds.play({ ...size, count: stretch.count }, stretch.seed)
    const part = { ...stretch, seconds: Math.round((performance.now() - began) / 1_000), broken, tally }
    file?.add(part)
    played.push(part)
    onPart(part, sumOf(fault, rounds, parts()))
  })
  return sumOf(fault, rounds, parts())
}

function sumOf(fault: Fault, rounds: Rounds, parts: readonly Part[]): Finding {
  const sum = (of: 'count' | 'seconds') => parts.reduce((total, part) => total + part[of], 0)
  const ordered = parts.toSorted((one, other) => one.seed - other.seed)
  return {
    fault,
    seed: rangesOf(parts),
    seconds: sum('seconds'),
    broken: ordered.flatMap(({ broken }) => broken),
    ...rounds.summary(sum('count'), addedTallies(ordered.map(({ tally }) => tally))),
  }
}
