import { SourceMap } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** A file that does not exist: its text is made here. */
const ENTRY = `${repository}proofs/sweep/entry.js`
const entryId = (id: string) => (id === ENTRY ? id : null)

export interface Bundle {
  /** The body of a function of `exports`. */
  readonly code: string
  /** Where the code at this position comes from; undefined if it is the bundler's own. */
  placeAt(position: number): Place | undefined
}

/** A place in the repository. Lines and columns count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What these modules export as one readable script, which is quickly evaluated again with a change. */
export async function bundleOf(modules: readonly string[]): Promise<Bundle> {
  const entry = modules.map((module) => `export * from '${module}'`).join('\n')
  const built = await build({
    root: repository,
    configFile: false,
    logLevel: 'error',
    plugins: [{ name: 'entry', enforce: 'pre', resolveId: entryId, load: (id) => (id === ENTRY ? entry : null) }],
    build: {
      write: false,
      minify: false,
      sourcemap: 'hidden',
      lib: { entry: ENTRY, formats: ['cjs'], fileName: 'bundle' },
    },
  })
  const output = Array.isArray(built) ? built[0]?.output[0] : undefined
  if (output?.map === undefined || output.map === null) throw new Error('The bundler has made no source map.')
  return { code: output.code, placeAt: placeFinder(output.code, output.map.toString()) }
}

function placeFinder(code: string, map: string): Bundle['placeAt'] {
  const sourceMap = new SourceMap(JSON.parse(map))
  const lineStarts = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (position) => {
    const at = lineStarts.findLastIndex((start) => start <= position)
    const entry = sourceMap.findEntry(at, position - (lineStarts[at] ?? 0))
    if (!('originalSource' in entry)) return undefined
    const file = relative(repository, resolve(repository, 'dist', entry.originalSource))
    return { file, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
  }
}
