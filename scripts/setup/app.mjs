import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'

const sources = [
  'apps/web/index.html',
  'apps/web/vite.config.ts',
  'apps/web/src',
  'apps/web/public',
  'packages/react/src',
  'packages/core/src',
  'package-lock.json',
]

/** Builds the web app, if anything that it is made from has changed since the last time. */
export function buildApp() {
  const stamp = join(root, 'apps/web/dist/.millrace-build')
  const wanted = hashOf(sources.map((source) => join(root, source)))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('building the app (once)…')
  if (!run('vite', ['build', 'apps/web', '--logLevel', 'warn'])) {
    say('the app could not be built; the lines above say why.')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) addTo(hash, path)
  return hash.digest('hex')
}

function addTo(hash, path) {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) addTo(hash, join(path, name))
  else hash.update(path.slice(root.length)).update(readFileSync(path))
}
