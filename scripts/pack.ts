// Builds every package and packs it into a folder, for `npm install FILE…` elsewhere.
//
//   npm run pack:all -- FOLDER

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildPackages } from './pack/build.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Usage: npm run pack:all -- FOLDER\n')
  process.exit(2)
}
const target = resolve(folder)
mkdirSync(target, { recursive: true })
for (const built of buildPackages()) {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', target], { cwd: built.folder })
  const [packed] = JSON.parse(output.toString()) as { filename: string; size: number; entryCount: number }[]
  if (packed === undefined) throw new Error(`npm packed nothing in ${built.folder}.`)
  const kilobytes = Math.ceil(packed.size / 1000)
  process.stdout.write(`${packed.filename}  ${kilobytes} KB, ${packed.entryCount} files\n`)
}
