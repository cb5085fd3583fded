// Records all frameworks again, or the named ones: node recorders/main.ts [FRAMEWORK …]
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const LONGEST = 180_000
const folder = join(import.meta.dirname, 'frameworks')
const all = readdirSync(folder).map((file) => basename(file, '.ts'))
const named = process.argv.slice(2)

const unknown = named.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No recorder for ${unknown.join(', ')}. There are: ${all.join(', ')}`)
  process.exit(2)
}

// One process each, one after the other: frameworks patch globals, leave handles open, and cannot share a process.
const failed = (named.length > 0 ? named : all).filter((name) => {
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`)], {
    stdio: ['ignore', process.stderr, process.stderr],
    timeout: LONGEST,
    killSignal: 'SIGKILL',
  })
  return status !== 0
})

if (failed.length > 0) {
  console.error(`Not recorded: ${failed.join(', ')}`)
  process.exit(1)
}
