import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const document = readFileSync(join(root, 'docs/requirements.md'), 'utf8')

const section = (title: string) => new RegExp(`## ${title}[^\\n]*\\n([\\s\\S]*?)(?=\\n## |$)`).exec(document)?.[1] ?? ''

/** `S0-8 … S0-96, S0-98` → every id that it names. */
function idsOf(text: string): string[] {
  return [...text.matchAll(/(S\d)-(\d+)(?: … \1-(\d+))?/g)].flatMap(([, seed, from, to]) => {
    const first = Number(from)
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, index) => `${seed}-${first + index}`)
  })
}

function idsInTestNames(): Set<string> {
  const files = globSync(
    ['packages/*/{src,test}/**/*.test.ts', 'packages/testkit/src/*-suite.ts', 'test/**/*.test.ts'],
    {
      cwd: root,
    },
  )
  const names = files.flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/(['"`])(?:(?!\1).)*\bS\d-\d+.*\1/g) ?? [],
  )
  return new Set(names.flatMap((name) => name.match(/S\d-\d+/g) ?? []))
}

it('proves every claimed requirement by a test with its id, or explains what replaced it', () => {
  const claimed = idsOf(section('Claimed so far'))
  const proven = idsInTestNames()
  const explained = new Set(idsOf(section('Only in part')))
  expect(claimed.length).toBeGreaterThan(150)
  expect(claimed.filter((id) => !proven.has(id) && !explained.has(id))).toEqual([])
})
