import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lock = join(tmpdir(), 'millrace-browser-tests.lock')
/** Longer than any build takes: the process that holds an older lock is dead. */
const FORGOTTEN_MS = 120_000

/** The folder of the web app, built if anything has changed. Several test files call this; one of them builds. */
export async function builtWebApp(): Promise<string> {
  await until('another test file has built the app', takeLock)
  try {
    const script = "import('./scripts/setup/app.mjs').then(({ buildApp }) => buildApp())"
    const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The app could not be built. ${stderr}`)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  return join(root, 'apps/web/dist')
}

function takeLock(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - madeAt > FORGOTTEN_MS) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
