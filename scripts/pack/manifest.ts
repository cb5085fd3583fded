import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a `package.json` of this repository holds. Its exports name sources. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: { readonly [path: string]: string }
  readonly bin?: { readonly [command: string]: string }
  readonly dependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

export function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The built file of a source: `./src/fold/fold.ts` is `./dist/fold/fold.js`. Styles are not built. */
export const builtFile = (source: string) => source.replace(/^\.\/src\//, './dist/').replace(/\.tsx?$/, '.js')

/** The declarations of a built file. A style sheet has some, too: TypeScript checks every import. */
export const typesOf = (built: string) => (built.endsWith('.css') ? `${built}.d.ts` : built.replace(/\.js$/, '.d.ts'))

function packedExport(source: string): { readonly types: string; readonly default: string } {
  const built = builtFile(source)
  return { types: typesOf(built), default: built }
}

/** The entry points of a package. A wildcard opens every file to the tests of this repository, and is not packed. */
export function entryPointsOf({ exports = {} }: Manifest): readonly (readonly [path: string, source: string])[] {
  return Object.entries(exports).filter(([path]) => !path.includes('*'))
}

/** The `package.json` of a package as it is packed: built files, closed exports, nothing for development. */
export function packedManifest(manifest: Manifest, folders: readonly string[]): object {
  const { exports: _sources, devDependencies: _development, ...rest } = manifest
  const entries = entryPointsOf(manifest).map(([path, source]) => [path, packedExport(source)])
  const exports = { ...Object.fromEntries(entries), './package.json': './package.json' }
  return { ...rest, exports, files: folders }
}
