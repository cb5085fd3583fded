import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Check } from '../check.ts'
import type { Consumer } from '../consumer.ts'

/** The most kilobytes, compressed, that a page loads for each: of Millrace alone, without React. */
const LIMITS = { client: 30, react: 80 } as const

const programs: { readonly [Name in keyof typeof LIMITS]: string } = {
  client: `import { createRunStore } from '@millrace/core/client'
globalThis.store = createRunStore`,
  react: `import { ThreadView, useRun } from '@millrace/react'
globalThis.views = [ThreadView, useRun]`,
}

const config = `import { defineConfig } from 'vite'
export default defineConfig(({ mode }) => ({
  logLevel: 'warn',
  build: {
    outDir: 'out-' + mode,
    rolldownOptions: { input: mode + '.js', external: [/^react(-dom)?(\\/|$)/] },
  },
}))`

/** A page that draws a run, as a user would write it. */
const page = {
  'index.html': '<!doctype html><div id="root"></div><script type="module" src="/main.tsx"></script>',
  'main.tsx': `import { createRunStore } from '@millrace/core/client'
import { ThreadView, useRun } from '@millrace/react'
import '@millrace/react/styles.css'
import { createRoot } from 'react-dom/client'

const store = createRunStore({ baseUrl: '', runId: 'r' })

function Page() {
  const { run } = useRun(store)
  return <ThreadView events={run.chatEvents} />
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
`,
}

async function sizeOf(consumer: Consumer, mode: keyof typeof LIMITS): Promise<string> {
  consumer.write({ [`${mode}.js`]: programs[mode], 'vite.config.js': config })
  await consumer.run('vite', 'build', '--mode', mode)
  const folder = join(consumer.folder, `out-${mode}`, 'assets')
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const bytes = scripts.map((file) => gzipSync(readFileSync(join(folder, file))).length)
  const kilobytes = bytes.reduce((sum, size) => sum + size, 0) / 1000
  if (kilobytes > LIMITS[mode]) throw new Error(`${mode} is ${kilobytes.toFixed(1)} KB, more than ${LIMITS[mode]} KB.`)
  return `${mode} ${kilobytes.toFixed(1)} KB of ${LIMITS[mode]} KB`
}

export const bundles: Check = {
  title: 'a page built by Vite, and the sizes of its parts, compressed, without React',
  async run(bench) {
    const consumer = await bench.install(
      'vite',
      ['@millrace/core', '@millrace/react'],
      ['vite@8', 'react@19', 'react-dom@19'],
    )
    const sizes = [await sizeOf(consumer, 'client'), await sizeOf(consumer, 'react')]
    consumer.write({ ...page, 'vite.config.js': 'export default {}' })
    await consumer.run('vite', 'build')
    const styles = readdirSync(join(consumer.folder, 'dist/assets')).filter((file) => file.endsWith('.css'))
    if (styles.length !== 1) throw new Error('The page has no style sheet.')
    return sizes.join(', ')
  },
}
