import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { allStages } from '../proofs/mutants/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('planted bugs', async () => {
  for (const { name, mutants } of await allStages()) {
    it(`${name}: each still applies, at exactly one place`, () => {
      expect(mutants.filter(({ file, find }) => occurrences(file, find) !== 1)).toEqual([])
    })
  }
})

/** 0 if the file is not there: a file that was moved takes its planted bugs out of use. */
function occurrences(file: string, find: string): number {
  try {
    return readFileSync(join(root, file), 'utf8').split(find).length - 1
  } catch {
    return 0
  }
}
