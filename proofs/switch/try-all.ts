import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ThreadDetail } from '@millrace/core/api'
import { createConsumer } from '../packed/consumer.ts'
import { root } from '../packed/packages.ts'
import { packInto } from '../packed/try-all.ts'
import { programs } from './index.ts'
import type { SwitchProgram, SwitchRow, SwitchServer } from './program.ts'

export interface SwitchFinding {
  readonly program: SwitchProgram
  readonly rows: readonly SwitchRow[]
}

/** Where the packages are installed, and how they came there. */
export interface Installed {
  /** The path of a `node_modules`. */
  readonly modules: string
  remove(): void
}

/** Packs every package and installs the tarballs with npm, in a folder outside of the repository. */
export async function installPacked(): Promise<Installed> {
  const tarballs = mkdtempSync(join(tmpdir(), 'millrace-packed-'))
  const consumer = createConsumer('switch-packages')
  try {
    const files = Object.values(packInto(tarballs))
    await consumer.run('npm', 'install', '--no-audit', '--no-fund', ...files, 'zod@4')
  } finally {
    rmSync(tarballs, { recursive: true, force: true })
  }
  return { modules: join(consumer.folder, 'node_modules'), remove: consumer.remove }
}

/** The packages of this repository as they are, unpacked: quick, for tests. */
export const linked: Installed = { modules: join(root, 'node_modules'), remove() {} }

/** Runs the programs whose names contain `part`, each against a server of its own. */
export async function tryPrograms(
  part: string,
  { modules }: Installed,
  report: (finding: SwitchFinding) => void,
): Promise<readonly SwitchFinding[]> {
  const findings: SwitchFinding[] = []
  for (const program of programs.filter(({ name }) => name.includes(part))) {
    const finding = { program, rows: await rowsOf(program, modules) }
    findings.push(finding)
    report(finding)
  }
  return findings
}

async function rowsOf(program: SwitchProgram, modules: string): Promise<readonly SwitchRow[]> {
  const consumer = createConsumer(`switch-${program.name}`)
  symlinkSync(modules, join(consumer.folder, 'node_modules'))
  consumer.write(program.files ?? {})
  const bin = join(modules, 'millrace/bin/millrace.js')
  try {
    const serve = ['serve', '--port', '0', ...(program.serve ?? [])]
    const { firstLine, stop } = await consumer.start(process.execPath, bin, ...serve)
    try {
      return await program.run(serverAt(firstLine, consumer.folder))
    } catch (error) {
      const note = error instanceof Error ? (error.stack ?? error.message) : String(error)
      return [{ promise: 'the program runs to its end', kept: false, note }]
    } finally {
      await stop()
    }
  } finally {
    consumer.remove()
  }
}

/** `address` is the first line that `serve` prints, with the token. */
function serverAt(address: string, folder: string): SwitchServer {
  const { origin, searchParams } = new URL(address)
  const token = searchParams.get('token') ?? ''
  const headers = { authorization: `Bearer ${token}` }
  return {
    folder,
    origin,
    token,
    headers,
    async thread(threadId) {
      const response = await fetch(`${origin}/api/threads/${threadId}`, { headers })
      if (!response.ok) throw new Error(await response.text())
      return (await response.json()) as ThreadDetail
    },
  }
}
