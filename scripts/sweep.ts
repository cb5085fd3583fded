// Makes every small change of parsers, wires and the fold, one at a time, and lists those that no recording shows.
//
//   npm run sweep                    all
//   npm run sweep -- 'parse cohere'  the subjects with this in their names

import { subjects } from '../proofs/sweep/subjects.ts'
import { sweep, type Tried } from '../proofs/sweep/sweep.ts'

const [namePart = ''] = process.argv.slice(2)
/** By the name of the change: a file that several subjects share is seen if one of them shows it. */
const all = new Map<string, Tried>()
for (const subject of subjects.filter(({ name }) => name.includes(namePart))) {
  const began = performance.now()
  const tried = await sweep(subject, ({ name }) => all.get(name)?.isSeen === true)
  for (const each of tried) all.set(each.name, each)
  const unseen = tried.filter(({ isSeen }) => !isSeen).length
  const seconds = Math.round((performance.now() - began) / 1000)
  console.error(`${subject.name}: ${tried.length - unseen} of ${tried.length} are seen, ${seconds} s`)
}
const unseen = [...all.values()].filter(({ isSeen }) => !isSeen)
for (const { place, what, before, line } of unseen) {
  console.log([`${place.file.replace('packages/core/src/', '')}:${place.line}`, what, before, line].join(' | '))
}
console.log(`\n${all.size - unseen.length} of ${all.size} changes are seen.`)
