// Makes every small change of the parsers, one at a time, and lists those that no recording of a format shows.
//
//   npm run sweep              all formats
//   npm run sweep -- cohere    the formats with this in their names

import { parsers } from '@millrace/core/parse'
import { sweep, type Tried } from '../proofs/sweep/sweep.ts'

const FOLDERS = ['packages/core/src/parse/']

const [namePart = ''] = process.argv.slice(2)
const formats = Object.keys(parsers).filter((format) => format.includes(namePart))
const byName = new Map<string, Tried>()
for (const format of formats) {
  const began = performance.now()
  const tried = await sweep(format, FOLDERS)
  for (const each of tried) if (byName.get(each.name)?.isSeen !== true) byName.set(each.name, each)
  const unseen = tried.filter(({ isSeen }) => !isSeen).length
  console.error(
    `${format}: ${tried.length - unseen} of ${tried.length} seen, ${Math.round((performance.now() - began) / 1000)} s`,
  )
}
const unseen = [...byName.values()].filter(({ isSeen }) => !isSeen)
for (const { file, what, before, line } of unseen) {
  console.log(`${file.replace(FOLDERS[0] ?? '', '')} | ${what} | ${before} | ${line}`)
}
console.log(`\n${byName.size - unseen.length} of ${byName.size} changes are seen.`)
