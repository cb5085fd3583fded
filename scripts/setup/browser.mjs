import { existsSync } from 'node:fs'
import { run, say } from './run.mjs'

const places = [
  process.env.MILLRACE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser tests need a Chromium. On Debian, as root, it is installed; elsewhere it prints how to. */
export function ensureBrowser() {
  if (places.some((place) => place && existsSync(place))) return
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    say('installing Chromium for the browser tests (once)…')
    if (run('apt-get', ['update', '-qq'], true) && run('apt-get', ['install', '-y', '-qq', 'chromium'], true)) return
  }
  say('there is no Chromium: the browser tests are skipped. Install one, or name it in MILLRACE_CHROMIUM.')
}
