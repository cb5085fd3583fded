import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, '.bench')

/** Exact, so that two runs of the bench compare the same code. */
const versions = {
  '@ag-ui/client': '1.0.0',
  '@ag-ui/encoder': '1.0.0',
  '@ai-sdk/anthropic': '4.0.102',
  '@ai-sdk/react': '4.0.167',
  '@anthropic-ai/sdk': '1.8.0',
  '@streamparser/json': '0.0.26',
  '@tanstack/ai': '0.58.0',
  ai: '7.0.169',
  'assistant-stream': '0.3.44',
  'eventsource-parser': '4.1.3',
  jsonriver: '1.1.1',
  'partial-json': '0.1.7',
  react: '19.3.1',
  rxjs: '7.8.1',
} as const

export type PackageName = keyof typeof versions

/** One copy of `ai` for all that build on it. */
const overrides = { ai: '$ai' }

const manifest = (dependencies: { readonly [name: string]: string }) =>
  JSON.stringify({ name: 'millrace-bench-peers', private: true, type: 'module', dependencies, overrides }, null, 2)

/** Stands in the folder of the peers, so that their names are looked up from there. */
const loader = 'export const load = (name) => import(name)\n'

/** Installs the peers, once for these versions. Gives those that could not be had, each with the reason. */
export function installPeers(): ReadonlyMap<string, string> {
  const stamp = join(folder, '.installed')
  const wanted = manifest(versions)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return new Map()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'load.js'), loader)
  console.log('\ninstalling the peers into .bench (once)…')
  if (install(versions) === undefined) {
    writeFileSync(stamp, wanted)
    return new Map()
  }
  return installOneByOne()
}

/** One package that cannot be had must not cost the others. */
function installOneByOne(): ReadonlyMap<string, string> {
  const failed = new Map<string, string>()
  let had: { readonly [name: string]: string } = { ai: versions.ai }
  for (const [name, version] of Object.entries(versions)) {
    const reason = install({ ...had, [name]: version })
    if (reason === undefined) had = { ...had, [name]: version }
    else failed.set(name, reason)
  }
  return failed
}

function install(dependencies: { readonly [name: string]: string }): string | undefined {
  writeFileSync(join(folder, 'package.json'), manifest(dependencies))
  const isWindows = process.platform === 'win32'
  // The Node of this repository comes first: npm may stand on an older one.
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
  const { status, stderr, error } = spawnSync(
    isWindows ? 'npm.cmd' : 'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--fetch-retries=1',
      '--loglevel=error',
    ],
    { cwd: folder, env: { ...process.env, PATH: path }, stdio: ['ignore', 'ignore', 'pipe'], shell: isWindows },
  )
  if (error !== undefined) return error.message
  return status === 0 ? undefined : (firstLine(stderr.toString()) ?? `npm ended with ${status}`)
}

const firstLine = (text: string) => text.split('\n').find((line) => line.trim() !== '')

/** A peer's exports. What is used of them is typed by hand: the compiler does not see the folder of the peers. */
export async function loadPeer<Exports>(name: PackageName): Promise<Exports> {
  const { load } = (await import(pathToFileURL(join(folder, 'load.js')).href)) as {
    load(name: string): Promise<Exports>
  }
  return load(name)
}
