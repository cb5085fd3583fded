import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { READER_VERSION } from '@millrace/core/read'
import { describe, expect, it } from 'vitest'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const path = `${fixtures}goldens.json`

/** The goldens as the version of the reader gave them when it was released. */
interface Recorded {
  readonly readerVersion: number
  readonly goldens: { readonly [name: string]: string }
}

function hashesNow(): Recorded['goldens'] {
  const names = globSync('*/*.golden', { cwd: fixtures }).toSorted()
  const hashOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(`${fixtures}${name}`))
      .digest('hex')
  return Object.fromEntries(names.map((name) => [name, hashOf(name).slice(0, 16)]))
}

const recorded: Recorded = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { readerVersion: 0, goldens: {} }
const goldens = hashesNow()
const changed = Object.entries(goldens).filter(([name, hash]) => (recorded.goldens[name] ?? hash) !== hash)
const isRaised = READER_VERSION > recorded.readerVersion

/** A stored run is compared with what its version of the reader gives: two versions must not give different events. */
describe('the version of the reader', () => {
  it('is raised by every golden that changes', () => {
    expect(isRaised ? [] : changed.map(([name]) => name)).toEqual([])
  })

  it('is recorded with the goldens that it gives; missing ones are added, but never by continuous integration', () => {
    const current: Recorded = { readerVersion: READER_VERSION, goldens }
    const isMissing = JSON.stringify(current) !== JSON.stringify(recorded)
    const mayWrite = process.env.CI === undefined && (isRaised || changed.length === 0)
    if (isMissing && mayWrite) writeFileSync(path, `${JSON.stringify(current, undefined, 2)}\n`)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(current)
  })
})
