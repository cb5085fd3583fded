// Plants one bug at a time in a copy of the repository and counts how many the tests find. Exits with 1 if too many survive.
//
//   npm run mutants                      all
//   npm run mutants -- fold              the stages with this in their name
//   npm run mutants -- --bugs FILE.json  those of a list: { file, find, replace, promise, tests? } each; without tests, all run

import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { stagesOfBugs } from '../proofs/mutants/bugs.ts'
import { allStages } from '../proofs/mutants/index.ts'
import type { Mutant, Stage } from '../proofs/mutants/mutant.ts'
import { type Fate, openWorkshop, type Workshop } from '../proofs/mutants/workshop.ts'

const AT_ONCE = 2
const MAY_SURVIVE = 0.05

const { values, positionals } = parseArgs({ allowPositionals: true, options: { bugs: { type: 'string' } } })
const [namePart = ''] = positionals
const stages = values.bugs === undefined ? await allStages() : stagesOfBugs(values.bugs)
const chosen = stages.filter(({ name }) => name.includes(namePart))
if (chosen.length === 0) throw new Error(`No stage has a name with "${namePart}".`)
const jobs = chosen.flatMap((stage) => stage.mutants.map((mutant) => ({ stage, mutant })))
const workshops = Array.from({ length: AT_ONCE }, () => openWorkshop(fileURLToPath(new URL('..', import.meta.url))))

try {
  await eachOf(chosen, async (stage, workshop) => {
    const failure = await workshop.failureOf(stage)
    if (failure !== undefined) throw new Error(`Without a bug, "${stage.name}" fails: ${failure}`)
  })
  const fates = await eachOf(jobs, async ({ stage, mutant }, workshop) => {
    const fate = await workshop.fateOf(mutant, stage)
    console.log(lineOf(stage, mutant, fate))
    return fate
  })
  const survivors = jobs.filter((_, index) => fates[index]?.name === 'survived')
  console.log(`\n${jobs.length - survivors.length} of ${jobs.length} planted bugs were found.`)
  for (const { stage, mutant } of survivors) console.log(lineOf(stage, mutant, { name: 'survived' }))
  process.exitCode = survivors.length <= jobs.length * MAY_SURVIVE ? 0 : 1
} finally {
  for (const workshop of workshops) workshop.close()
}

function lineOf(stage: Stage, { file, promise }: Mutant, fate: Fate): string {
  const place = file.replace('packages/', '').padEnd(48)
  const foundBy = fate.foundBy === undefined || values.bugs === undefined ? '' : `  (${fate.foundBy})`
  return `${fate.name.padEnd(9)} ${stage.name.padEnd(40)} ${place} ${promise}${foundBy}`
}

/** Works on all items, one per workshop at a time; the results are in the order of the items. */
async function eachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item, workshop: Workshop) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const [index, item] of waiting) results[index] = await work(item, workshop)
    }),
  )
  return results
}
