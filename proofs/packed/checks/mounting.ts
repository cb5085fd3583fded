import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertEqual, type Bench, type Check } from '../check.ts'
import type { Consumer } from '../consumer.ts'
import { root } from '../packages.ts'

const TOKEN = 'a-token-of-many-characters'

/** The sources of an example, without its tests and its manifest. */
function sourcesOf(example: string): { readonly [path: string]: string } {
  const folder = join(root, 'examples', example)
  const files = globSync('**/*.ts', { cwd: folder, exclude: (path) => path.includes('node_modules') })
  const own = files.filter((path) => !path.endsWith('.test.ts'))
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

function dependenciesOf(example: string): readonly string[] {
  const text = readFileSync(join(root, 'examples', example, 'package.json'), 'utf8')
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: { [name: string]: string } }
  return Object.entries(dependencies)
    .filter(([name]) => !name.startsWith('@millrace/'))
    .map(([name, range]) => `${name}@${range}`)
}

/** Starts a run of the first agent and returns what its page would show. */
async function runAt(api: string, headers: { readonly [name: string]: string }): Promise<string> {
  const { agents } = (await (await fetch(`${api}/agents`, { headers })).json()) as { agents: { name: string }[] }
  const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
  const body = JSON.stringify({ agent: agents[0]?.name, input: { text: 'the weir' }, runId: 'r' })
  const started = await fetch(`${api}/threads/t/runs`, { ...post, body })
  assertEqual(started.status, 201, 'the start of a run')
  const stream = await (await fetch(`${api}/runs/r/stream`, { headers })).text()
  if (!stream.includes('"outcome":"success"')) throw new Error(`The run did not end well: ${stream.slice(-300)}`)
  return agents[0]?.name ?? ''
}

interface Mounted {
  readonly example: string
  readonly program: string
  readonly api: string
  /** Another way to the API than the token. */
  enter?(origin: string): Promise<{ readonly [name: string]: string }>
}

async function signIn(origin: string) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/sign-in`, { method: 'POST', headers, body: '{"password":"weir"}' })
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', origin }
}

const programs: readonly Mounted[] = [
  { example: 'node-http', program: 'server.ts', api: '/api' },
  { example: 'express', program: 'main.ts', api: '/agents/api', enter: signIn },
  { example: 'hono', program: 'main.ts', api: '/agents/api' },
]

async function playProgram(bench: Bench, { example, program, api, enter }: Mounted): Promise<string> {
  const settings = { PORT: '0', MILLRACE_TOKEN: TOKEN, PASSWORD: 'weir' }
  const consumer = await bench.install(
    example,
    ['@millrace/core', '@millrace/agent', '@millrace/server'],
    dependenciesOf(example),
    settings,
  )
  consumer.write(sourcesOf(example))
  const { firstLine, stop } = await consumer.start('node', program)
  try {
    const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(firstLine) ?? []
    const headers = (await enter?.(origin)) ?? { authorization: `Bearer ${TOKEN}` }
    return `${example} (${await runAt(`${origin}${api}`, headers)})`
  } finally {
    await stop()
  }
}

export const mounting: Check = {
  title: 'the mounting examples, against the packed packages: a run of each one’s agent is played',
  async run(bench) {
    const seen: string[] = []
    for (const mounted of programs) seen.push(await playProgram(bench, mounted))
    return seen.join(', ')
  },
}

const nextFiles = {
  'app/layout.tsx': `import type { ReactNode } from 'react'
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  'app/page.tsx': `'use client'
import { createRunStore } from '@millrace/core/client'
import { ThreadView, useRun } from '@millrace/react'
import '@millrace/react/styles.css'
import { useState } from 'react'

export default function Page() {
  const [store] = useState(() => createRunStore({ baseUrl: '', runId: 'r' }))
  const { run } = useRun(store)
  return <ThreadView events={run.chatEvents} />
}
`,
}

async function nextProject(bench: Bench): Promise<Consumer> {
  const own = ['@millrace/core', '@millrace/agent', '@millrace/server', '@millrace/react']
  const others = [
    'next@16',
    'react@19',
    'react-dom@19',
    'typescript@5',
    '@types/node@24',
    '@types/react@19',
    '@types/react-dom@19',
  ]
  const settings = { MILLRACE_TOKEN: TOKEN, NEXT_TELEMETRY_DISABLED: '1' }
  const consumer = await bench.install('next', own, others, settings)
  const { 'start.ts': _withoutNext, ...sources } = sourcesOf('next')
  const settingsOf = (name: string) => ({ [name]: readFileSync(join(root, 'examples/next', name), 'utf8') })
  consumer.write({ ...sources, ...nextFiles, ...settingsOf('tsconfig.json'), ...settingsOf('next.config.mjs') })
  return consumer
}

export const inNext: Check = {
  title: 'a real build of Next with the route of the example and a page that draws a run; its server plays a run',
  async run(bench) {
    const consumer = await nextProject(bench)
    const { stdout } = await consumer.run('next', 'build')
    const { stop } = await consumer.start('next', 'start', '--hostname', '127.0.0.1', '--port', '41873')
    try {
      const agent = await runAt('http://127.0.0.1:41873/api', { authorization: `Bearer ${TOKEN}` })
      const page = await fetch('http://127.0.0.1:41873/')
      assertEqual(page.status, 200, 'the page')
      return `${/Next\.js [\d.]+/.exec(stdout)?.[0] ?? 'Next'}, agent ${agent}`
    } finally {
      await stop()
    }
  },
}
