import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buses } from '@millrace/server/bus/index'
import { logs } from '@millrace/server/log/index'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const server = join(root, 'packages/server/src')

/** What each folder of the server may import beside itself and core. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  log: ['bus'],
  bus: [],
  files: ['log'],
  run: ['log', 'bus'],
  agents: ['run'],
  deliver: ['log', 'bus'],
  verify: ['log', 'run', 'deliver'],
  // Its second process is a server of its own.
  show: ['log', 'server.ts'],
  api: ['log', 'files', 'run', 'deliver', 'verify', 'show'],
  'handler.ts': ['log', 'files', 'run', 'deliver', 'api', 'show'],
  'server.ts': ['api', 'handler.ts'],
  public: ['log', 'bus', 'files', 'run', 'agents', 'deliver', 'api', 'handler.ts', 'server.ts'],
}

/** Families with a registry, and the files in their folders that are no members: contract, registry, errors, shared code. */
const FAMILIES = {
  log: {
    members: logs,
    shared: [
      'log',
      'index',
      'errors',
      'append-rules',
      'bell',
      'commands',
      'counted-log',
      'lease-rules',
      'tail',
      'thread-pages',
      'search',
      'search-words',
      'entry-lines',
      'lines-reader',
      'tail-reader',
      'tail-state',
      'tail-contract',
      'member',
    ],
  },
  bus: {
    members: buses,
    shared: ['bus', 'index', 'errors', 'link', 'listeners', 'messages', 'names', 'outbox', 'shared-bus'],
  },
}

const importsOf = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) =>
    resolve(dirname(path), match[1] as string),
  )
const folderOf = (path: string) => relative(server, path).split('/')[0] as string

describe('the architecture of the server', () => {
  const files = globSync('**/*.ts', { cwd: server })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => join(server, path))

  it('lets a stage import only the stages before it', () => {
    const forbidden = files.flatMap((path) =>
      importsOf(path)
        .map(folderOf)
        .filter((to) => to !== folderOf(path) && !MAY_IMPORT[folderOf(path)]?.includes(to))
        .map((to) => `${relative(root, path)} -> ${to}`),
    )
    expect(forbidden).toEqual([])
  })

  it('has a rule for every folder', () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort())
  })

  for (const [family, { members, shared }] of Object.entries(FAMILIES)) {
    it(`registers every ${family}, under its file name`, () => {
      const files = readdirSync(join(server, family))
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => basename(name, '.ts'))
        .filter((name) => !shared.includes(name))
      expect(files.sort()).toEqual(Object.keys(members).sort())
    })
  }

  it('loads the client of a database only when a store is opened', () => {
    const program = `
      import { createRequire } from 'node:module'
      for (const file of ['server', 'log/index', 'bus/index']) await import('${pathToFileURL(server).href}/' + file + '.ts')
      console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
    })
    const loaded = JSON.parse(output) as readonly string[]
    expect(loaded.filter((path) => /node_modules\/(?:pg|@redis)\//.test(path))).toEqual([])
    expect(loaded.some((path) => path.includes('node_modules/'))).toBe(true)
  })
})
