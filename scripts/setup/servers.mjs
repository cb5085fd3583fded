import { existsSync } from 'node:fs'
import { run, say } from './run.mjs'

const check = ['packages/testkit/repository/servers/missing.ts']

/**
 * The tests of shared stores start a PostgreSQL and a Redis of their own. On Debian, as root, the programs are installed;
 * elsewhere it prints how to.
 */
export function ensureServers() {
  if (run('node', check, true)) return
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    say('installing PostgreSQL and Redis for the tests (once)…')
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'postgresql', 'redis-server']
    if (run('apt-get', ['update', '-qq'], true)) run('apt-get', install, true)
  }
  run('node', check)
}

/** The tests of sandboxes need bubblewrap, and are skipped without it. */
export function ensureSandbox() {
  if (process.platform !== 'linux' || existsSync('/usr/bin/bwrap')) return
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    say('installing bubblewrap for the tests (once)…')
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'bubblewrap']
    if (run('apt-get', ['update', '-qq'], true) && run('apt-get', install, true)) return
  }
  say('there is no bubblewrap: the tests of sandboxes are skipped. Debian: apt install bubblewrap.')
}
