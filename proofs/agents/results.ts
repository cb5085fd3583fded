import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './play.ts'

/** What the last run of a program has shown. */
export interface Result {
  readonly version: string
  readonly checks: readonly Check[]
}

export type Results = { readonly [name: string]: Result }

const PATH = join(import.meta.dirname, 'results.json')

/** The last result of each program: a single one can be played again, and the report stays whole. */
export function readResults(): Results {
  return existsSync(PATH) ? (JSON.parse(readFileSync(PATH, 'utf8')) as Results) : {}
}

export function keepResult(name: string, result: Result): void {
  writeFileSync(PATH, `${JSON.stringify({ ...readResults(), [name]: result }, undefined, 2)}\n`)
}
