import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../proofs/packed/consumer.ts'
import { compilerSettings, entryPointsOf, programOf } from '../proofs/packed/entry-points.ts'
import { copyInto, root } from '../proofs/packed/packages.ts'
import { buildPackages } from '../scripts/pack/build.ts'

const packages = buildPackages()
const names = packages.map(({ manifest }) => manifest.name)
const consumer = createConsumer('consumer')
copyInto(consumer, packages, ['@types/node', '@types/react', '@types/react-dom', 'undici-types', 'csstype'])
afterAll(() => consumer.remove())

const filesOf = (name: string) =>
  readdirSync(join(consumer.folder, 'node_modules', name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(consumer.folder, 'node_modules', name, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >

describe('a packed package', () => {
  it.each(names)('%s holds what a user needs, and nothing of the repository', (name) => {
    const files = filesOf(name)
    expect(files.filter((path) => /\.test\.|\/fixtures\/|\.golden$|(?<!\.d)\.tsx?$/.test(path))).toEqual([])
    expect(files.filter((path) => path.endsWith('/README.md') || path.endsWith('/LICENSE'))).toHaveLength(2)
    const { exports, files: folders, type, license, repository, devDependencies, scripts } = manifestOf(name)
    expect(JSON.stringify(exports)).not.toMatch(/\*|src\//)
    expect([type, license, repository, devDependencies, scripts]).toEqual([
      'module',
      'MIT',
      undefined,
      undefined,
      undefined,
    ])
    expect(folders).toContain('dist')
  })

  it.each(names)('%s names the declarations of each entry point', (name) => {
    const { exports } = manifestOf(name) as { exports: Record<string, string | { types: string }> }
    const declared = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : [target.types]))
    expect(declared.filter((path) => !path.endsWith('.d.ts'))).toEqual([])
    expect(declared.filter((path) => !existsSync(join(consumer.folder, 'node_modules', name, path)))).toEqual([])
  })

  it('opens its entry points and nothing else', async () => {
    const targets = names.flatMap((name) => entryPointsOf(consumer, name))
    expect(targets.length).toBeGreaterThan(15)
    const closed = ['@millrace/core/parse/kit/voice', '@millrace/core/dist/fold/fold.js', '@millrace/server/run/owner']
    consumer.write({
      'every.mjs': `${targets.map((target) => `await import('${target}')`).join('\n')}
for (const path of ${JSON.stringify(closed)}) console.log(await import(path).catch(({ code }) => code))\n`,
    })
    const { stdout, stderr } = await consumer.run('node', 'every.mjs')
    expect(stdout).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(closed.length))
    expect(stderr).toBe('')
  })

  it('runs the example of the README', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [, example = '', printed] = /```ts\n([\s\S]*?)```\n\nprints\n\n```\n([\s\S]*?)```/.exec(readme) ?? []
    consumer.write({ 'example.mjs': example })
    expect((await consumer.run('node', 'example.mjs')).stdout).toBe(printed)
  })

  it.each(['nodenext', 'bundler'] as const)('has declarations without an error, resolved as %s', async (resolution) => {
    consumer.write({ 'tsconfig.json': compilerSettings(resolution), 'every.ts': programOf(consumer, names) })
    const { stdout } = await consumer.attempt('node', join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
    expect(stdout).toBe('')
  })
})

describe('the packed command', () => {
  const lines = '{"type":"text","data":{"content":"Four fathoms."}}\n{"type":"done","data":{}}\n'

  it('detects and converts', async () => {
    consumer.write({ 'run.jsonl': lines })
    expect((await consumer.run('millrace', 'detect', 'run.jsonl')).stdout).toMatch(/^agent-lines\b/)
    const { stdout } = await consumer.run('millrace', 'convert', 'run.jsonl', '--to', 'ai-sdk')
    expect(stdout).toContain('{"type":"text-delta","id":')
  })

  it('serves its app and plays a run', async () => {
    const { firstLine, stop } = await consumer.start('millrace', 'serve', '--port', '0')
    try {
      const { origin, searchParams } = new URL(firstLine)
      const authorization = `Bearer ${searchParams.get('token')}`
      expect(await (await fetch(firstLine)).text()).toContain('<script')
      const ingest = `${origin}/api/ingest?format=agent-lines&threadId=t&runId=r`
      await fetch(ingest, { method: 'POST', body: lines, headers: { authorization } })
      const verified = await fetch(`${origin}/api/runs/r/verify`, { headers: { authorization } })
      expect(await verified.json()).toMatchObject({ reread: 'same', problems: [] })
    } finally {
      await stop()
    }
  })
})
