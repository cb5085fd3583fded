import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'

/** Installs what the lock file names, once: a stamp in node_modules says which lock file that was. */
export function installPackages() {
  const stamp = join(root, 'node_modules', '.millrace-setup')
  const lock = readFileSync(join(root, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('installing packages (once)…')
  // Not `npm ci`: it refuses a lock file made where the registry lacks the binaries of other platforms.
  if (!run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])) {
    say('`npm install` failed; the lines above say why.')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}
