import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, defaultClientConditions, type Plugin, preview } from 'vite'

const clients = fileURLToPath(new URL('../../../clients/', import.meta.url))

/** The pages of clients, each below its name, on one origin with the servers behind them. */
export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** Where requests below a path go, with these headers. */
export interface Backend {
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
}

/** Builds the pages as an application would, and serves them with Vite's own server, which is also the proxy. */
export async function openSite(
  names: readonly string[],
  backends: { readonly [path: string]: Backend },
): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-pages-'))
  for (const name of names) await buildPage(name, join(folder, name))
  const proxy = Object.fromEntries(
    Object.entries(backends).map(([path, { url: target, headers = {} }]) => [
      path,
      { target, headers: { ...headers } },
    ]),
  )
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: 'error',
    appType: 'mpa',
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0, proxy },
  })
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function buildPage(name: string, outDir: string): Promise<void> {
  const root = join(clients, 'pages', name)
  if (!existsSync(root)) throw new Error(`There is no page ${name}.`)
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: [svelte()],
    resolve: { conditions: ['svelte', ...defaultClientConditions] },
    build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 100_000 },
  })
}

/** Compiles components, and modules with runes. */
function svelte(): Plugin {
  const { compile, compileModule } = createRequire(join(clients, 'package.json'))('svelte/compiler')
  return {
    name: 'svelte',
    transform(code, id) {
      const options = { filename: id, generate: 'client', css: 'injected' }
      if (id.endsWith('.svelte')) return compile(code, options).js
      if (id.endsWith('.svelte.js')) return compileModule(code, { filename: id, generate: 'client' }).js
      return undefined
    },
  }
}
