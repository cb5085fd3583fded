import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logs } from '@millrace/server/log/index'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const server = join(root, 'packages/server/src')

/** What each folder of the server may import beside itself and core. */
const MAY_IMPORT: { readonly [folder: string]: readonly string[] } = {
  log: [],
  bus: [],
  files: ['log'],
  run: ['log', 'bus'],
  deliver: ['log', 'bus'],
  verify: ['log', 'run', 'deliver'],
  api: ['log', 'files', 'run', 'deliver', 'verify'],
  'handler.ts': ['log', 'files', 'run', 'deliver', 'api'],
  'server.ts': ['api', 'handler.ts'],
  public: ['log', 'bus', 'run', 'deliver', 'api', 'handler.ts', 'server.ts'],
}

/** Files of the log stage that are not members: its contract, its registry, its errors, and what members share. */
const SHARED = [
  'log',
  'index',
  'errors',
  'append-rules',
  'bell',
  'commands',
  'entry-lines',
  'lease-rules',
  'tail',
  'tail-reader',
  'tail-state',
  'thread-pages',
]

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

  it('registers every log, under its file name', () => {
    const members = readdirSync(join(server, 'log'))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => basename(name, '.ts'))
      .filter((name) => !SHARED.includes(name))
    expect(members.sort()).toEqual(Object.keys(logs).sort())
  })
})
