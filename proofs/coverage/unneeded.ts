import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Arm } from './arms.ts'

/** Why an arm stays although no recording needs it. */
export interface Reason {
  /** From `packages/core/src`. */
  readonly file: string
  /** How the arm begins, on one line. */
  readonly arm: string
  readonly reason: string
}

export interface UnneededArm extends Arm {
  /** Undefined if nothing is said about it. */
  readonly reason: string | undefined
}

export interface Unneeded {
  readonly arms: readonly UnneededArm[]
  /** Reasons for arms that do not exist or that a recording needs by now. */
  readonly staleReasons: readonly Reason[]
}

const SOURCES = 'packages/core/src/'

/** An arm without a value of its own: it refuses what is malformed, or yields nothing. */
const GUARD =
  /^(?:\?\?|\|\||&&|\?|:)?\s*(?:(?:return|continue|break)\b;?)?\s*(?:undefined|null|SILENT|false|true|\[\]|\{\}|''|\(\)|throw .*)?$/

/**
 * The arms of parsers and sources that nothing needs. A mapping must be needed by a recording, whose golden then says
 * what it means; a guard may also be needed by a damaged record.
 */
export async function unneededArms(): Promise<Unneeded> {
  const [withoutRecording, withoutDamaged] = await Promise.all([probe('recordings'), probe('mangled')])
  const neverRun = new Set(withoutDamaged.map(keyOf))
  const unneeded = withoutRecording.filter((arm) => !GUARD.test(arm.text) || neverRun.has(keyOf(arm)))
  const reasons = await allReasons()
  const explains = ({ file, arm }: Reason, { file: path, text }: Arm) => path === SOURCES + file && text.startsWith(arm)
  return {
    arms: unneeded.map((arm) => ({ ...arm, reason: reasons.find((reason) => explains(reason, arm))?.reason })),
    staleReasons: reasons.filter((reason) => !unneeded.some((arm) => explains(reason, arm))),
  }
}

const keyOf = ({ file, line, text }: Arm) => `${file}:${line} ${text}`

/** In a process of its own: only modules that are imported after counting began are counted. */
async function probe(records: 'recordings' | 'mangled'): Promise<readonly Arm[]> {
  const program = join(import.meta.dirname, 'probe.ts')
  // V8 does not count every branch of a function that comes from a cache of compiled code.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const options = { env, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, [program, records], options)
  return JSON.parse(stdout)
}

async function allReasons(): Promise<readonly Reason[]> {
  const folder = join(import.meta.dirname, 'reasons')
  const modules = readdirSync(folder).map(async (file) => {
    const { reasons } = (await import(join(folder, file))) as { reasons: readonly Reason[] }
    return reasons
  })
  return (await Promise.all(modules)).flat()
}
