import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Programs } from './server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Programs, and the workers that they start, by the names under which they are built. */
const entries: { readonly [name: string]: string } = {
  main: 'packages/millrace/src/main.ts',
  serve: 'proofs/faults/serve.ts',
  'sqlite-worker': 'packages/server/src/log/sqlite/worker.ts',
  'verify-worker': 'packages/server/src/verify/worker.ts',
}

const builtNames = new Map(Object.entries(entries).map(([name, path]) => [join(root, path), name]))

const ADDRESS = /new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g

/** A worker is found beside the program; any other file where it is. */
const addresses = {
  name: 'addresses',
  enforce: 'pre',
  transform(code: string, id: string) {
    if (id.includes('node_modules')) return undefined
    return code.replaceAll(ADDRESS, (_whole, path: string) => {
      const file = resolve(dirname(id), path)
      const name = builtNames.get(file)
      return name === undefined
        ? `new URL(${JSON.stringify(pathToFileURL(file).href)})`
        : `new URL('./${name}.js', import.meta.url)`
    })
  },
} as const

/**
 * Builds the server of this working copy into a few files: two thirds of a round from the sources are the start of the server,
 * which reads hundreds of modules. They are removed with this process.
 */
export async function buildServer(): Promise<Programs> {
  const { build } = await import('vite')
  // Inside the repository, where packages are found.
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'millrace-faults-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: [/^@millrace\//] },
    build: {
      ssr: true,
      outDir: folder,
      target: 'node22',
      rolldownOptions: {
        input: Object.fromEntries([...builtNames].map(([path, name]) => [name, path])),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' },
      },
    },
    plugins: [addresses],
  })
  const command = join(folder, 'millrace.js')
  const source = readFileSync(join(root, 'packages/millrace/bin/millrace.js'), 'utf8')
  writeFileSync(command, source.replace('../src/main.ts', './main.js'))
  return { command, impatient: join(folder, 'serve.js'), compileCache: join(folder, 'cache') }
}
