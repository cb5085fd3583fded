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
import type { Mutant, Stage } from './mutant.ts'

const SETTINGS = ['package.json', 'tsconfig.json', 'vitest.config.ts']
const COPIED = ['packages', 'examples', 'proofs', 'scripts', 'test', 'fixtures', ...SETTINGS]
const TIMEOUT_MS = 120_000

export type Fate = 'killed' | 'survived'

/** A copy of the repository in which one bug at a time is planted. The repository itself is never touched. */
export interface Workshop {
  /** Whether the tests notice the bug. */
  fateOf(mutant: Mutant, stage: Stage): Promise<Fate>
  /** Whether all that must notice is content without a bug: else nothing is proven. */
  isSound(stage: Stage): Promise<boolean>
  close(): void
}

export function openWorkshop(root: string): Workshop {
  const copy = mkdtempSync(join(tmpdir(), 'millrace-mutants-'))
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true })
  linkModules(join(root, 'node_modules'), join(copy, 'node_modules'), copy)

  async function passes(stage: Stage, by: 'tests' | 'types'): Promise<boolean> {
    const only = stage.only === undefined ? [] : ['-t', stage.only]
    const command =
      by === 'types'
        ? ['tsc', '--noEmit']
        : ['vitest', 'run', '--bail', '1', '--reporter', 'dot', ...stage.tests, ...only]
    return (await run(join(copy, 'node_modules/.bin', command[0] as string), command.slice(1), copy)) === 0
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
        return (await passes(stage, mutant.by ?? 'tests')) ? 'survived' : 'killed'
      } finally {
        writeFileSync(file, text)
      }
    },
    async isSound(stage) {
      const areTypesAsked = stage.mutants.some(({ by }) => by === 'types')
      return (await passes(stage, 'tests')) && (!areTypesAsked || (await passes(stage, 'types')))
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

/** The exit code; a run that hangs counts as failed. The corpus is left out, for speed. */
function run(command: string, args: readonly string[], cwd: string): Promise<number> {
  const { MILLRACE_CORPUS: _corpus, ...environment } = process.env
  return new Promise((resolve) => {
    const env = { ...environment, CI: '1' }
    const child: ChildProcess = spawn(command, args, { cwd, env, stdio: 'ignore', detached: true })
    const timer = setTimeout(() => endGroup(child), TIMEOUT_MS)
    child.on('error', () => resolve(1))
    child.on('close', (code) => {
      clearTimeout(timer)
      endGroup(child)
      resolve(code ?? 1)
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
