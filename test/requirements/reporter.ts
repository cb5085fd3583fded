import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { isNamed, type Row, rowsOf } from './ledger.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A test that ran: its file, its name with those of the groups around it, and whether it passed. */
export interface RanTest {
  readonly file: string
  readonly name: string
  readonly hasPassed: boolean
}

/**
 * The tests that rows name and that have not passed. A row of a file that did not run is left out; files that are no tests
 * themselves, such as suites and scenes, count once all tests ran that rows name.
 */
export function unprovenIn(rows: readonly Row[], ran: readonly RanTest[]): readonly string[] {
  const files = new Set(ran.map(({ file }) => file))
  const proofs = rows.flatMap(({ id, proofs: all }) => all.map((proof) => ({ id, ...proof })))
  const isTest = (file: string) => file.endsWith('.test.ts')
  const isComplete = proofs.every(({ file }) => !isTest(file) || files.has(file))
  return proofs
    .filter(({ file }) => (isTest(file) ? files.has(file) : isComplete))
    .filter((proof) => {
      const own = ran.filter(({ file, name }) => (file === proof.file || !isTest(proof.file)) && isNamed(proof, name))
      return own.length === 0 || own.some(({ hasPassed }) => !hasPassed)
    })
    .map(({ id, file, name }) => `${id}: ${name} (${file})`)
}

/** Fails a run of which a test that docs/requirements.md names did not run, or was skipped. */
export class RequirementsReporter implements Reporter {
  #isFiltered = false

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return
    const ran = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        file: relative(root, module.moduleId),
        name: test.fullName,
        hasPassed: test.result().state === 'passed',
      })),
    )
    const unproven = unprovenIn(rowsOf(readFileSync(`${root}docs/requirements.md`, 'utf8')), ran)
    if (unproven.length === 0) return
    process.stderr.write(`Tests that docs/requirements.md names did not pass:\n  ${unproven.join('\n  ')}\n`)
    process.exitCode = 1
  }
}
