import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/**
 * Installs the packages of a folder that has a lock file of its own, if they are not there yet or the lock file is newer. No
 * script of a package runs. Returns whether they are there.
 */
export function installFolder(name: string, what: string): boolean {
  const folder = join(root, name)
  const changed = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return true
  console.error(`Installing ${what} (once)…`)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // With the Node of this repository first in the path, so that npm runs on it, too.
  const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  const { status } = spawnSync('npm', ['install', ...options], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, PATH },
    shell: process.platform === 'win32',
  })
  return status === 0
}
