import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertEqual, type Check } from '../check.ts'
import { root } from '../packages.ts'

const platform = `${process.platform}-${process.arch}`

/** Runtimes as npm brings them: the package that holds the program, and the program within it. */
const runtimes: readonly (readonly [name: string, npmPackage: string, program: string, ...args: readonly string[]])[] =
  [
    ['Node 22', `node-${platform}@22`, 'bin/node'],
    ['Node 24', `node-${platform}@24`, 'bin/node'],
    ['Node 26', `node-${platform}@26`, 'bin/node'],
    ['Bun', `@oven/bun-${platform}@1`, 'bin/bun'],
    ['Deno', `@deno/${platform}-glibc@2`, 'deno', 'run', '--allow-read', '--allow-env'],
  ]

export const onRuntimes: Check = {
  title: 'the README’s example, on every runtime that npm brings',
  async run(bench) {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [, example = '', printed] = /```ts\n([\s\S]*?)```\n\nprints\n\n```\n([\s\S]*?)```/.exec(readme) ?? []
    const aliases = runtimes.map(([, npmPackage], index) => `runtime${index}@npm:${npmPackage}`)
    const consumer = await bench.install('runtimes', ['@millrace/core'], aliases)
    consumer.write({ 'example.mjs': example })
    for (const [index, [name, , program, ...args]] of runtimes.entries()) {
      const path = join(consumer.folder, `node_modules/runtime${index}`, program)
      assertEqual((await consumer.run(path, ...args, 'example.mjs')).stdout, printed, name)
    }
    return runtimes.map(([name]) => name).join(', ')
  },
}
