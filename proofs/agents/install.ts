import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of its own: 2 GB that only this proof needs. */
const FOLDER = join(import.meta.dirname, 'programs')

export const BIN = join(FOLDER, 'node_modules', '.bin')

/** Installs the programs once, as their lock file says. Throws if that fails. */
export function ensurePrograms(): void {
  const changed = (file: string) => statSync(join(FOLDER, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return
  console.error('Installing the programs (once, 2 GB)…')
  const { status } = spawnSync('npm', ['install', '--no-save', '--loglevel=error'], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('The programs could not be installed.')
}

export function versionOf(packageName: string): string {
  const text = readFileSync(join(FOLDER, 'node_modules', packageName, 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
