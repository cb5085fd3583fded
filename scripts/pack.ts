// Builds every package and packs it into a folder, for `npm install FILE…` elsewhere.
//
//   npm run pack:all -- FOLDER

import { mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildPackages } from './pack/build.ts'
import { packInto } from './pack/pack-into.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Usage: npm run pack:all -- FOLDER\n')
  process.exit(2)
}
const target = resolve(folder)
mkdirSync(target, { recursive: true })
for (const built of buildPackages()) {
  const file = packInto(target, built)
  process.stdout.write(`${file}  ${Math.ceil(statSync(file).size / 1000)} KB\n`)
}
