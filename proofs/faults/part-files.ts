import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Fault } from './fault.ts'
import type { Mode } from './modes.ts'
import type { Part } from './rounds.ts'

/** The parts of one fault in a file, each a line: a run that is interrupted loses the parts that it was at. */
export interface PartFile {
  parts(): readonly Part[]
  add(part: Part): void
  clear(): void
}

export function openPartFile(folder: string, mode: Mode, { name }: Fault): PartFile {
  const nameOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const path = join(folder, `${nameOf(mode.heading)}--${nameOf(name)}.jsonl`)
  return {
    parts: () => (existsSync(path) ? partsIn(readFileSync(path, 'utf8')) : []),
    add(part) {
      mkdirSync(dirname(path), { recursive: true })
      appendFileSync(path, `${JSON.stringify(part)}\n`)
    },
    clear: () => rmSync(path, { force: true }),
  }
}

const partsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Part)
