import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Mutant, Stage } from './mutant.ts'

const NOT_COPIED = ['node_modules', '.git']
/** Far longer than any stage takes: a busy machine must not look like a test that hangs, which counts as found. */
const TIMEOUT_MS = 300_000

/** What became of a planted bug. */
export interface Fate {
  readonly name: 'killed' | 'survived'
  /** The first test that failed, if its name was printed. */
  readonly foundBy?: string
}

/** A copy of the repository in which one bug at a time is planted. The repository itself is never touched. */
export interface Workshop {
  /** Whether the tests notice the bug. */
  fateOf(mutant: Mutant, stage: Stage): Promise<Fate>
  /** What fails without a bug, if anything does: then nothing would be proven. */
  failureOf(stage: Stage): Promise<string | undefined>
  close(): void
}

export function openWorkshop(root: string): Workshop {
  const copy = mkdtempSync(join(tmpdir(), 'millrace-mutants-'))
  const copied = readdirSync(root).filter((name) => !NOT_COPIED.includes(name))
  for (const name of copied) cpSync(join(root, name), join(copy, name), { recursive: true })
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'), copy)

  async function attempt(stage: Stage, by: 'tests' | 'types'): Promise<Attempt> {
    const only = stage.only === undefined ? [] : ['-t', stage.only]
    const command =
      by === 'types'
        ? ['tsc', '--noEmit']
        : ['vitest', 'run', '--bail', '1', '--reporter', 'dot', ...stage.tests, ...only]
    const program = join(copy, 'node_modules/.bin', command[0] as string)
    return run(program, command.slice(1), copy, stage.timeout ?? TIMEOUT_MS)
  }

  return {
    async fateOf(mutant, stage) {
      const file = join(copy, mutant.file)
      const text = readFileSync(file, 'utf8')
      const count = text.split(mutant.find).length - 1
      if (count !== 1)
        throw new Error(`${mutant.file}: ${JSON.stringify(mutant.find)} occurs ${count} times, not once.`)
      writeFileSync(
        file,
        text.replace(mutant.find, () => mutant.replace),
      )
      try {
        const { code, failed } = await attempt(stage, mutant.by ?? 'tests')
        if (code === 0) return { name: 'survived' }
        return { name: 'killed', ...(failed !== undefined && { foundBy: failed }) }
      } finally {
        writeFileSync(file, text)
      }
    },
    async failureOf(stage) {
      const areTypesAsked = stage.mutants.some(({ by }) => by === 'types')
      for (const by of areTypesAsked ? (['tests', 'types'] as const) : (['tests'] as const)) {
        const { code, failed } = await attempt(stage, by)
        if (code !== 0) return failed ?? by
      }
      return undefined
    },
    close: () => rmSync(copy, { recursive: true, force: true }),
  }
}

/** All modules are shared, but for those of the workspace, whose links must lead into the copy. */
function linkModules(from: string, to: string, copy: string): void {
  mkdirSync(join(to, '@millrace'), { recursive: true })
  const own = new Map(
    readdirSync(join(copy, 'packages')).map((folder) => [nameOf(join(copy, 'packages', folder)), folder]),
  )
  for (const name of readdirSync(from)) {
    const isShared = !name.startsWith('.v') && name !== '@millrace' && !own.has(name)
    if (isShared && lstatSync(join(from, name)).isDirectory()) symlinkSync(join(from, name), join(to, name))
  }
  for (const [name, folder] of own) symlinkSync(join(copy, 'packages', folder), join(to, name))
}

function nameOf(folder: string): string {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name
}

interface Attempt {
  readonly code: number
  /** The first test that failed. */
  readonly failed: string | undefined
}

/** A run that hangs counts as failed. The corpus is left out, for speed. */
function run(command: string, args: readonly string[], cwd: string, timeout: number): Promise<Attempt> {
  const { MILLRACE_CORPUS: _corpus, ...environment } = process.env
  return new Promise((resolve) => {
    const env = { ...environment, CI: '1' }
    const child: ChildProcess = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const timer = setTimeout(() => endGroup(child), timeout)
    let failed: string | undefined
    const read = (chunk: Buffer) => {
      failed ??= stripVTControlCharacters(String(chunk))
        .match(/FAIL {2}?(.*)/)?.[1]
        ?.trim()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('error', () => resolve({ code: 1, failed }))
    child.on('exit', (code) => {
      clearTimeout(timer)
      endGroup(child)
      resolve({ code: code ?? 1, failed })
    })
  })
}

/** A test runner's own processes too: one that a planted bug has sent round in circles would outlive it. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them are gone.
  }
}
