import { ENOUGH, type FanOut, follow, type Watch } from './fan-out.ts'
import { type Piece, type Placed, pick } from './piece.ts'

/** What a response says of one run: all that follows its cursor, up to a chunk or to the run's end. */
export interface Part extends Omit<Watch, 'signal'> {
  /** Whether the response has said enough behind this chunk, though the run goes on. */
  readonly endsAt?: (placed: Placed) => boolean
}

/** Of one wire, told one after another in one response. */
export type Parts = readonly [Part, ...Part[]]

type Give = (piece: Piece) => Promise<unknown> | undefined

/** Gives the pieces of one part after another, as they come. */
export async function followParts(
  fanOut: FanOut,
  parts: readonly Part[],
  signal: AbortSignal,
  give: Give,
): Promise<void> {
  for (const { endsAt, ...watch } of parts) {
    await follow(fanOut, { ...watch, signal }, endsAt === undefined ? give : cutAt(endsAt, give))
  }
}

function cutAt(endsAt: (placed: Placed) => boolean, give: Give): Give {
  return async (piece) => {
    const end = piece.placed.findIndex(endsAt)
    if (end === -1) return give(piece)
    await give(pick(piece, (_, at) => at <= end))
    return ENOUGH
  }
}
