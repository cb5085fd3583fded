import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

it('runs the example of the README, of at most 20 lines, and prints what the README says', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const example = /```ts\n([\s\S]*?)```\n\nprints\n\n```\n([\s\S]*?)```/.exec(readme)
  const [, code = '', printed = ''] = example ?? []
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(20)
  // Inside the checkout, so that the packages are found as if they were installed.
  const folder = mkdtempSync(join(root, 'test', '.readme-'))
  try {
    writeFileSync(join(folder, 'example.ts'), code)
    const out = execFileSync(process.execPath, [join(folder, 'example.ts')], { cwd: root, encoding: 'utf8' })
    expect(out.trim()).toBe(printed.trim())
  } finally {
    rmSync(folder, { recursive: true })
  }
})
