import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const core = join(root, 'packages/core/src')

/** What each folder of core may import beside itself. `vocabulary` is the files directly in `src`. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  vocabulary: [],
  data: ['vocabulary'],
  meaning: ['vocabulary', 'data'],
  source: ['vocabulary'],
  parse: ['vocabulary', 'data', 'source'],
  normalize: ['vocabulary', 'data'],
  fold: ['vocabulary', 'data', 'meaning'],
  wire: ['vocabulary', 'data', 'meaning'],
  read: ['vocabulary', 'source', 'parse', 'normalize'],
  api: ['vocabulary', 'fold'],
  client: ['vocabulary', 'api', 'meaning', 'source', 'fold'],
}

/** Files of a stage that are not members: its contract, its registry, and what all members share. */
const SHARED: { readonly [stage: string]: readonly string[] } = {
  parse: ['parser', 'index', 'by-shape', 'with-types', 'detect'],
  wire: ['wire', 'index', 'rows', 'responses', 'sse-frames', 'chunk-fields'],
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (['node_modules', '.git', 'dist', '.bench'].includes(name)) return []
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

const isSource = (path: string) => /\.(?:ts|tsx|css|mjs|js)$/.test(path)
const isTest = (path: string) => path.endsWith('.test.ts')
const importsOf = (path: string) =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)[^'\n]*?from '([^']+)'|^import '([^']+)'|^} from '([^']+)'/gm,
    ),
  ].map((match) => (match[1] ?? match[2] ?? match[3]) as string)

/** The folder of core that a file belongs to. */
function folderOf(path: string): string {
  const [first = '', ...rest] = relative(core, path).split('/')
  return rest.length > 0 ? first : 'vocabulary'
}

const membersOf = (stage: string) =>
  readdirSync(join(core, stage))
    .filter((name) => name.endsWith('.ts') && !isTest(name))
    .map((name) => basename(name, '.ts'))
    .filter((name) => !SHARED[stage]?.includes(name))
    .sort()

describe('the architecture', () => {
  const coreFiles = filesBelow(core).filter((path) => isSource(path) && !isTest(path))

  it('lets a stage of core import only what the rule allows', () => {
    const forbidden = coreFiles.flatMap((path) => {
      const from = folderOf(path)
      return importsOf(path)
        .map((target) => (target.startsWith('.') ? folderOf(resolve(dirname(path), target)) : target))
        .filter((to) => to !== from && !MAY_IMPORT[from]?.includes(to))
        .map((to) => `${relative(root, path)}: core/${from} -> ${to}`)
    })
    expect(forbidden).toEqual([])
  })

  it('has a rule for every folder of core', () => {
    expect([...new Set(coreFiles.map(folderOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort())
  })

  it('keeps every file under 250 lines', () => {
    const long = filesBelow(root)
      .filter((path) => isSource(path) && !path.includes('/fixtures/'))
      .map((path) => [relative(root, path), readFileSync(path, 'utf8').split('\n').length - 1] as const)
      .filter(([, lines]) => lines > 250)
    expect(long).toEqual([])
  })

  it('registers every parser, under its file name, with a folder of fixtures', () => {
    const names = Object.keys(parsers).sort()
    expect(membersOf('parse')).toEqual(names)
    expect(
      readdirSync(join(root, 'fixtures'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort(),
    ).toEqual(names)
  })

  it('registers every format, under its file name', () => {
    expect(membersOf('wire')).toEqual(Object.keys(wires).sort())
  })

  it('has no clock, no randomness and no promise in the pure stages', () => {
    const pure = coreFiles.filter((path) => !['api', 'client'].includes(folderOf(path)))
    const impure = pure.filter((path) =>
      /\bDate\.now|new Date\(\)|Math\.random|\basync (?:function|\(|\w+ =>)|\bawait |\bfetch\(/.test(
        readFileSync(path, 'utf8'),
      ),
    )
    expect(impure.map((path) => relative(root, path))).toEqual([])
  })

  it('describes each stage of core in ARCHITECTURE.md, in order', () => {
    const headings = [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^### `([a-z]+)`/gm)].map(
      (match) => match[1],
    )
    expect(headings).toEqual(['source', 'parse', 'normalize', 'log', 'fold', 'wire', 'deliver', 'render'])
  })

  it('explains every error code', () => {
    const codes = [...readFileSync(join(core, 'errors.ts'), 'utf8').matchAll(/^ {2}'([a-z-]+)':/gm)].map(
      (match) => match[1] as string,
    )
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })
})
