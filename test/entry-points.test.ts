import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

interface Manifest {
  readonly name: string
  readonly exports?: { readonly [path: string]: string }
}

const manifests = globSync('packages/*/package.json', { cwd: root }).map(
  (path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
)

/** The entry points that are packed. A wildcard serves only the tests of this repository. */
const entryPoints = new Set(
  manifests.flatMap(({ name, exports = {} }) =>
    Object.keys(exports)
      .filter((path) => !path.includes('*'))
      .map((path) => join(name, path)),
  ),
)

/** Code that is packed, or that shows how the packages are used. */
const users = ['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}', 'examples/**/*.{ts,tsx}']
  .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') }))
  .filter((path) => !/\.test\.tsx?$/.test(path))

const pages = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*/README.md'].flatMap(
  (pattern) => globSync(pattern, { cwd: root, exclude: (path) => path.includes('node_modules') }),
)

const importsOf = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from |import |import\()'(@millrace\/[^']+)'/g)].map(
    (match) => match[1] as string,
  )

describe('the entry points of the packages', () => {
  it('are all that packages, apps, examples and pages import', () => {
    const closed = [...users, ...pages].flatMap((path) =>
      importsOf(path)
        .filter((target) => !entryPoints.has(target))
        .map((target) => `${path}: ${target}`),
    )
    expect(closed).toEqual([])
  })

  it('need nothing but the sources of their package, which alone are packed', () => {
    const outside = users
      // The command is packed with its manifest and the app beside it.
      .filter((path) => path.startsWith('packages/') && !path.startsWith('packages/millrace/'))
      .flatMap((path) =>
        [...readFileSync(join(root, path), 'utf8').matchAll(/(?:from |import |import\(|new URL\()'(\.[^']+)'/g)]
          .map((match) => join(dirname(path), match[1] as string))
          .filter((target) => !target.startsWith(path.split('/').slice(0, 3).join('/')))
          .map((target) => `${path}: ${target}`),
      )
    expect(outside).toEqual([])
  })
})
