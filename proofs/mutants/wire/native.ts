import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: `${folder}/native.ts`,
    find: '[entry as unknown as Chunk]',
    replace: "entry.event.type === 'raw' ? [] : [entry as unknown as Chunk]",
    promise: 'what is not declared as lost is carried',
  },
  {
    file: `${folder}/native.ts`,
    find: '[entry as unknown as Chunk]',
    replace: '[{ ...entry, at: undefined } as unknown as Chunk]',
    promise: 'chunks survive JSON',
  },
]
