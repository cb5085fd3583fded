import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { allStages } from '../proofs/mutants/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('planted bugs', async () => {
  for (const { name, mutants } of await allStages()) {
    it(`${name}: each applies exactly once`, () => {
      expect(mutants.filter(({ file, find }) => occurrences(file, find) !== 1)).toEqual([])
    })
  }
})

/** 0 if the file does not exist: the planted bugs of a moved file would not apply. */
function occurrences(file: string, find: string): number {
  try {
    return readFileSync(join(root, file), 'utf8').split(find).length - 1
  } catch {
    return 0
  }
}
