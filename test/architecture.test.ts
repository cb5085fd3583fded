import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parsers } from '@millrace/core/parse'
import { wires } from '@millrace/core/wire'
import { describe, expect, it } from 'vitest'
import { bindingNames } from './declared-names.ts'

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
  messages: ['vocabulary', 'data', 'fold'],
  read: ['vocabulary', 'data', 'source', 'parse', 'normalize'],
  api: ['vocabulary', 'data', 'source', 'fold'],
  client: ['vocabulary', 'api', 'meaning', 'source', 'fold'],
  compat: ['vocabulary', 'data', 'normalize', 'fold'],
  public: [
    'vocabulary',
    'data',
    'meaning',
    'source',
    'parse',
    'normalize',
    'fold',
    'messages',
    'wire',
    'read',
    'api',
    'client',
  ],
}

/** Files of a stage that are not members: its contract, its registry, and what all members share. */
const SHARED: { readonly [stage: string]: readonly string[] } = {
  parse: ['parser', 'index', 'by-shape', 'with-types', 'detect'],
  wire: [
    'wire',
    'index',
    'rows',
    'responses',
    'sse-frames',
    'chunk-fields',
    'emissions',
    'history',
    'people',
    'profiles',
  ],
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (['node_modules', '.git', 'dist', '.bench'].includes(name)) return []
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

const isSource = (path: string) => /\.(?:ts|tsx|css|mjs|js)$/.test(path)
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const importsOf = (path: string) =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)[^'\n]*?from '([^']+)'|^import '([^']+)'|^} from '([^']+)'/gm,
    ),
  ].map((match) => (match[1] ?? match[2] ?? match[3]) as string)

/** Names that say nothing about the thing. As fields of the vocabulary and of protocols they are allowed. */
const isBanned = (name: string) => /^(?:told|said|known|place|talk|turns|progress)$/i.test(name)

/** The folder of core that a file belongs to. */
function folderOf(path: string): string {
  const [first = '', ...rest] = relative(core, path).split('/')
  return rest.length > 0 ? first : 'vocabulary'
}

/** Every source file of a package or an app, its tests included. */
const sourcesBelowSrc = () =>
  ['packages', 'apps']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name, 'src')))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => /\.tsx?$/.test(path))

const isForTests = (target: string) => /^(?:vitest|fast-check|@millrace\/testkit)(?:\/|$)/.test(target)

/** Whether an import leads into `test/` or into the tests of a package. */
const isInTestFolder = (path: string, target: string) =>
  target.startsWith('.') && /^(?:packages\/[^/]+\/)?test\//.test(relative(root, resolve(dirname(path), target)))

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

  it('registers every wire, under its file name', () => {
    expect(membersOf('wire')).toEqual(Object.keys(wires).sort())
  })

  it('has no clock, no randomness and no promise in the pure stages', () => {
    const pure = coreFiles.filter((path) => !['api', 'client', 'compat'].includes(folderOf(path)))
    const impure = pure.filter((path) =>
      /\bDate\.now|new Date\(\)|Math\.random|\basync (?:function|\(|\w+ =>)|\bawait |\bfetch\(/.test(
        readFileSync(path, 'utf8'),
      ),
    )
    expect(impure.map((path) => relative(root, path))).toEqual([])
  })

  it('tries every property with the seed of the run', () => {
    const own = ['packages/testkit/src/property.ts', 'test/architecture.test.ts']
    const direct = filesBelow(root)
      .filter((path) => isTest(path) || path.includes('/packages/testkit/'))
      .map((path) => relative(root, path))
      .filter((path) => !own.includes(path) && readFileSync(join(root, path), 'utf8').includes('fc.assert('))
    expect(direct).toEqual([])
  })

  it('keeps proofs apart from tests', () => {
    const proofs = filesBelow(join(root, 'proofs')).filter(isSource)
    expect(proofs.flatMap((path) => importsOf(path).filter((target) => isInTestFolder(path, target)))).toEqual([])
  })

  it('keeps the helpers of tests out of every src', () => {
    const helpers = sourcesBelowSrc()
      // The suites of the testkit are made for tests.
      .filter((path) => !isTest(path) && !path.includes('/packages/testkit/'))
      .filter(
        (path) =>
          /testing|helper|mock|fake/.test(basename(path)) ||
          importsOf(path).some((target) => isForTests(target) || isInTestFolder(path, target)),
      )
    expect(helpers.map((path) => relative(root, path))).toEqual([])
  })

  it('declares nothing under a banned name, and has no file of that name', () => {
    const banned = sourcesBelowSrc().flatMap((path) => {
      const names = bindingNames(readFileSync(path, 'utf8'), isBanned).map(({ name, line }) => `:${line} ${name}`)
      const [fileName = ''] = basename(path).split('.')
      return [...(isBanned(fileName) ? [''] : []), ...names].map((where) => `${relative(root, path)}${where}`)
    })
    expect(banned).toEqual([])
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
