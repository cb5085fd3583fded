import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StreamEvent } from '@millrace/core/events'
import { createAgentFolder } from '@millrace/server/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Provider, startProvider } from '../../../recorders/provider/server.ts'
import { type Bench, createBench, ofType } from './bench.ts'
import { step } from './models.ts'

const PAGE = fileURLToPath(new URL('../../../docs/agents-in-code.md', import.meta.url))

/** What each agent of the page calls, by its only tool or that with this name. */
const inputs: { readonly [tool: string]: object } = {
  take_soundings: { harbour: 'Millport' },
  dredge: { harbour: 'Millport', metres: 2 },
  'call-agent': { agentId: 'harbour', task: 'How deep is it?' },
  mcp__charts__scale: { chart: 'Mill Sound' },
}

let folder: string
let provider: Provider
let open: () => Promise<Bench>

beforeAll(async () => {
  // Below the package, where those that the files import are found.
  folder = await mkdtemp(fileURLToPath(new URL('.pages-', import.meta.url)))
  for (const [, code = '', path = ''] of (await readFile(PAGE, 'utf8')).matchAll(/```ts\n(\/\/ (\S+)\n[\s\S]*?)```/g)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), code)
  }
  provider = await startProvider(({ toolNames, toolResults }) => {
    const [name = ''] = toolNames
    if (toolResults.length > 0) return step({ text: `It says: ${toolResults.join(' ')}` })
    return step({ calls: [{ name, input: (inputs[name] ?? {}) as { [field: string]: unknown } }] })
  })
  process.env.ANTHROPIC_BASE_URL = provider.url
  process.env.ANTHROPIC_API_KEY = 'not-a-real-key'
  const agents = createAgentFolder(join(folder, 'agents'), { threads: join(folder, 'work') })
  await agents.ready()
  open = () => createBench(...(agents.agents() as Parameters<typeof createBench>))
})

afterAll(async () => {
  provider.close()
  await rm(folder, { recursive: true, force: true })
})

const textOf = (events: readonly StreamEvent[]) =>
  ofType(events, 'block-delta')
    .map(({ text }) => text)
    .join('')

async function played(agent: string, text = 'Go', act?: (bench: Bench) => Promise<unknown>) {
  const bench = await open()
  await bench.start('r', text, agent)
  await act?.(bench)
  const events = await bench.ended('r')
  expect(ofType(events, 'run-end')).toMatchObject([{ outcome: 'success' }])
  return { bench, events }
}

const asked = (message: string) => (event: StreamEvent) => event.type === 'approval' && event.message === message

/** Approves a question as soon as it is asked. */
async function approve(bench: Bench, message: string): Promise<void> {
  const question = await bench.seen('r', asked(message))
  await bench.answer('r', question.type === 'approval' ? question.approvalId : '', { state: 'approved' })
}

describe('the page about agents in code has', () => {
  it('a tool with progress', async () => {
    const { events } = await played('harbour')
    expect(ofType(events, 'tool-progress').map(({ percent }) => percent)).toEqual([30, 60, 90])
    expect(textOf(events)).toContain('It says: Millport: 4.2 m')
  })

  it('a tool that asks before it runs, and while it does', async () => {
    const { events } = await played('dredger', 'Go', async (bench) => {
      await approve(bench, 'May dredge run?')
      await approve(bench, 'Is the harbour of Millport closed to ships?')
    })
    expect(textOf(events)).toContain('It says: Millport is 2 m deeper.')
  })

  it('an agent that calls another', async () => {
    const { bench, events } = await played('captain')
    expect(ofType(events, 'subagent-end')).toMatchObject([{ status: 'done' }])
    expect(textOf(events)).toContain('It says: It says: Millport: 4.2 m')
    expect((await bench.log.runs('thr')).map(({ parentRunId }) => parentRunId).toSorted()).toEqual(['r', undefined])
  })

  it('the tools of an MCP server, in a loop around a model', async () => {
    const { events } = await played('surveyor')
    expect(ofType(events, 'tool-output')).toMatchObject([{ status: 'ok' }])
    expect(textOf(events)).toContain('It says: Mill Sound is 1:25 000.')
  })

  it('code of its own', async () => {
    const { events } = await played('lookout', 'Anything?')
    expect(ofType(events, 'status').map(({ message }) => message)).toContain('Looking')
    expect(ofType(events, 'todos').at(-1)?.items).toMatchObject([{ status: 'completed' }])
    expect(textOf(events)).toContain('You said “Anything?”. The list is ok.')
  })
})
