import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Mutant, Stage } from './mutant.ts'

const folder = 'packages/core/src/wire'

/** Two stages for each wire: the bugs that the conformance suite must find by itself, and those that only its own tests can. */
export async function wireStages(): Promise<readonly Stage[]> {
  const files = join(import.meta.dirname, 'wire')
  const stages = readdirSync(files).map(async (file): Promise<readonly Stage[]> => {
    const wire = basename(file, '.ts')
    const { mutants, own = [] } = (await import(join(files, file))) as Planted
    return [
      {
        name: `wire: ${wire}`,
        tests: ['test/conformance-wires.test.ts', 'test/wires-repeat.test.ts', 'test/wires-generated.test.ts'],
        only: `wire: ${wire}`,
        mutants,
      },
      ...(own.length === 0 ? [] : [{ name: `wire: ${wire}, its own tests`, tests: ownTests(wire), mutants: own }]),
    ]
  })
  return (await Promise.all(stages)).flat()
}

interface Planted {
  readonly mutants: readonly Mutant[]
  readonly own?: readonly Mutant[]
}

function ownTests(wire: string): readonly string[] {
  const tests = [`${folder}/${wire}.test.ts`, `${folder}/${wire}/`, `test/${wire}-client.test.ts`]
  return tests.filter((path) => existsSync(path))
}
