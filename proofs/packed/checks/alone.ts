import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Check } from '../check.ts'
import { compilerSettings, entryPointsOf, programOf } from '../entry-points.ts'

/** What each package needs of the others. Nothing more is installed with it. */
const needs: { readonly [name: string]: readonly string[] } = {
  '@millrace/core': [],
  '@millrace/agent': ['@millrace/core'],
  '@millrace/server': ['@millrace/core', '@millrace/agent'],
  '@millrace/react': ['@millrace/core'],
  '@millrace/testkit': ['@millrace/core', '@millrace/agent', '@millrace/server'],
  millrace: ['@millrace/core', '@millrace/agent', '@millrace/server'],
}

const TYPES = ['typescript@7', '@types/node@24', '@types/react@19', '@types/react-dom@19']

async function installAlone(bench: Bench, name: string): Promise<string> {
  const others = name === '@millrace/react' ? ['react@19', 'react-dom@19'] : []
  const consumer = await bench.install(
    `alone-${name.replace(/\W+/g, '')}`,
    [name, ...(needs[name] ?? [])],
    [...others, ...TYPES],
  )
  const targets = entryPointsOf(consumer, name)
  consumer.write({ 'every.mjs': targets.map((target) => `await import('${target}')\n`).join('') })
  await consumer.run('node', 'every.mjs')
  for (const resolution of ['nodenext', 'bundler'] as const) {
    consumer.write({ 'tsconfig.json': compilerSettings(resolution), 'every.ts': programOf(consumer, [name]) })
    await consumer.run('tsc', '-p', '.')
  }
  const { version } = JSON.parse(readFileSync(join(consumer.folder, 'node_modules', name, 'package.json'), 'utf8'))
  return `${name} ${version}: ${targets.length} entry points`
}

export const alone: Check = {
  title:
    'each package alone: every entry point is imported, and its declarations are without an error (nodenext, bundler)',
  async run(bench) {
    const seen: string[] = []
    for (const name of Object.keys(bench.tarballs)) seen.push(await installAlone(bench, name))
    return seen.join('; ')
  },
}
