import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../src', import.meta.url))
const files = globSync('{api,deliver,verify}/**/*.ts', { cwd: folder }).map((path) => ({
  path,
  imports: [...readFileSync(`${folder}/${path}`, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name = '']) => name),
}))

describe('the routes', () => {
  it('S0-2: are independent of formats: none of them imports a parser', () => {
    expect(files.length).toBeGreaterThan(20)
    const parsing = files.filter(({ imports }) => imports.some((name) => name.startsWith('@millrace/core/parse')))
    // Reading a run's inputs again needs the parser that the run names.
    expect(parsing.map(({ path }) => path)).toEqual(['verify/checker.ts', 'verify/checks.ts'])
    const members = files.flatMap(({ imports }) => imports.filter((name) => name.startsWith('@millrace/core/parse/')))
    expect(members).toEqual([])
  })
})
