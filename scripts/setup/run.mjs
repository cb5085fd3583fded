import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Runs a program with its output on stderr: stdout is for data. True if it succeeded. */
export function run(program, args, quiet = false) {
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', quiet ? 'ignore' : process.stderr, quiet ? 'ignore' : process.stderr],
    env: { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) },
    shell: process.platform === 'win32',
  })
  return status === 0
}

export function say(text) {
  console.error(`millrace: ${text}`)
}
