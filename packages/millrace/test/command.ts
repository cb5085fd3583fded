import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const millraceBin = fileURLToPath(new URL('../bin/millrace.js', import.meta.url))

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  /** The text for stdin; empty if absent. */
  readonly stdin?: string
  readonly env?: NodeJS.ProcessEnv
  /** Default: that of the test runner. */
  readonly cwd?: string
  readonly nodeFlags?: readonly string[]
}

/** Runs the real command, as a shell would. */
export function millrace(
  args: readonly string[],
  { stdin, env, cwd, nodeFlags = [] }: RunOptions = {},
): Promise<Result> {
  const child = spawn(process.execPath, [...nodeFlags, millraceBin, ...args], {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: env ?? plainEnvironment(),
    ...(cwd !== undefined && { cwd }),
  })
  // The command may end before it has read everything.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (bytes: Buffer) => stdout.push(bytes))
  child.stderr?.on('data', (bytes: Buffer) => stderr.push(bytes))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout: textOf(stdout), stderr: textOf(stderr) }))
  })
}

/** The environment without the test runner's color settings. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _forced, NO_COLOR: _none, ...others } = process.env
  return others
}

/** A folder for the files of one test file, removed when its tests have run. */
export function temporaryFolder(): { path(name: string): string; file(name: string, text: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  return {
    path,
    file(name, text) {
      writeFileSync(path(name), text)
      return path(name)
    },
  }
}

/** The values of JSON lines. Throws if a line is not JSON. */
export function linesOf(text: string): Record<string, unknown>[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString('utf8')
