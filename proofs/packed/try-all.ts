import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Check, Tarballs } from './check.ts'
import { alone } from './checks/alone.ts'
import { bundles } from './checks/bundles.ts'
import { command } from './checks/command.ts'
import { copiedPages } from './checks/copied-pages.ts'
import { inNext, mounting } from './checks/mounting.ts'
import { ownParser } from './checks/own-parser.ts'
import { onRuntimes } from './checks/runtimes.ts'
import { serverRendering } from './checks/server-rendering.ts'
import { type Consumer, createConsumer } from './consumer.ts'
import { root } from './packages.ts'

/** The checks, in order. */
const checks: { readonly [name: string]: Check } = {
  alone,
  runtimes: onRuntimes,
  command,
  bundles,
  'copied-pages': copiedPages,
  'server-rendering': serverRendering,
  'own-parser': ownParser,
  mounting,
  next: inNext,
}

export interface Finding {
  readonly title: string
  readonly seen: string
  readonly isKept: boolean
}

/** Packs every package and tries the checks whose names contain `part`, one after the other. */
export async function tryChecks(part: string, report: (finding: Finding) => void): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-packed-'))
  const consumers: Consumer[] = []
  const bench: Bench = {
    tarballs: packInto(folder),
    async install(name, own, others = [], environment = {}) {
      const consumer = createConsumer(name, environment)
      consumers.push(consumer)
      const files = own.map((packageName) => bench.tarballs[packageName] as string)
      await consumer.run('npm', 'install', '--no-audit', '--no-fund', ...files, ...others)
      return consumer
    },
  }
  const findings: Finding[] = []
  try {
    for (const [name, check] of Object.entries(checks)) {
      if (!name.includes(part)) continue
      const finding = await tried(check, bench)
      findings.push(finding)
      report(finding)
    }
    return findings
  } finally {
    for (const consumer of consumers) consumer.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tried({ title, run }: Check, bench: Bench): Promise<Finding> {
  try {
    return { title, seen: await run(bench), isKept: true }
  } catch (error) {
    return { title, seen: error instanceof Error ? error.message : String(error), isKept: false }
  }
}

/** Packs every package into an empty folder. */
export function packInto(folder: string): Tarballs {
  execFileSync(process.execPath, [join(root, 'scripts/pack.ts'), folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return Object.fromEntries(readdirSync(folder).map((file) => [nameOf(file), join(folder, file)]))
}

/** `millrace-core-0.1.0.tgz` holds `@millrace/core`. */
function nameOf(file: string): string {
  const [, scoped] = /^millrace-([a-z]+)-\d/.exec(file) ?? []
  return scoped === undefined ? 'millrace' : `@millrace/${scoped}`
}
