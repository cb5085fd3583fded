import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const repository = fileURLToPath(new URL('../..', import.meta.url))
/** A file that does not exist: its text is made here. */
const ENTRY = `${repository}proofs/sweep/entry.js`
const entryId = (id: string) => (id === ENTRY ? id : null)

/** A stretch of the bundle that comes from one file. */
interface Region {
  readonly file: string
  readonly start: number
  readonly end: number
}

export interface Bundle {
  /** The body of a function of `exports`. */
  readonly code: string
  readonly regions: readonly Region[]
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
      lib: { entry: ENTRY, formats: ['cjs'], fileName: 'bundle' },
      // Every file keeps all that it has: its changes have the same numbers in every bundle.
      rolldownOptions: { treeshake: false },
    },
  })
  const code = Array.isArray(built) ? (built[0]?.output[0].code ?? '') : ''
  return { code, regions: regionsOf(code) }
}

/** The bundler writes the name of each file above its code. */
function regionsOf(code: string): readonly Region[] {
  const names = [...code.matchAll(/^\/\/ ([\w./-]+\.ts)$/gm)]
  return names.map(({ index, 1: file = '' }, at) => ({ file, start: index, end: names[at + 1]?.index ?? code.length }))
}
