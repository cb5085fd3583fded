import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { type Library, sourceOf } from './sources.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Outside of the repository: what is installed here is no part of it. */
const folder = join(tmpdir(), 'millrace-bench-page')

/** Exact, so that two runs compare the same code. */
const versions = {
  streamdown: '2.7.1',
  '@assistant-ui/react': '0.15.21',
  '@assistant-ui/core': '0.3.20',
  '@assistant-ui/react-markdown': '0.14.16',
  'remark-gfm': '4.0.1',
  react: '19.3.1',
  'react-dom': '19.3.1',
}

/** Installs the peers, once for these versions. Returns why they cannot be had, if so. */
export function installPeers(): string | undefined {
  const manifest = JSON.stringify({
    name: 'millrace-bench-page',
    private: true,
    type: 'module',
    dependencies: versions,
  })
  const stamp = join(folder, '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === manifest) return undefined
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  console.log(`installing the peers into ${folder} (once)…`)
  const options = ['install', '--no-audit', '--no-fund', '--ignore-scripts']
  const { status, stderr } = spawnSync('npm', options, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) return stderr.trim().split('\n').at(-1) ?? 'npm failed'
  writeFileSync(stamp, manifest)
  return undefined
}

const PAGE = 'bench-page.js'
const HTML = '<!doctype html><html lang="en"><title>bench</title><div id="root"></div>'

/** The page of a library as one HTML file, with its script and its styles inside. */
export async function pageOf(library: Library): Promise<string> {
  const isOurs = library === 'millrace'
  const at = join(isOurs ? join(root, 'apps/web') : folder, PAGE)
  const built = await build({
    root: isOurs ? root : folder,
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'bench-page',
        resolveId: (id) => (id === PAGE ? at : undefined),
        load: (id) => (id === at ? sourceOf(library) : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      cssCodeSplit: false,
      rolldownOptions: { input: PAGE, output: { format: 'iife', codeSplitting: false } },
    },
  })
  const { output } = (Array.isArray(built) ? built[0] : built) as { output: readonly BuiltFile[] }
  const script = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
  const style = output.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('\n')
  return `${HTML}<style>${style}</style><script>${script.replaceAll('</script', '<\\/script')}</script>`
}

type BuiltFile =
  | { readonly type: 'chunk'; readonly code: string }
  | { readonly type: 'asset'; readonly source: string | Uint8Array }
