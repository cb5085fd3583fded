import { expect, it } from 'vitest'
import { asking, done, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

const thinking = (content: string) => ({ type: 'thinking', data: { content } })
const call = (id: string) => ({ type: 'tool_use', data: { id, name: 'repair', input: { part: 'wheel' } } })
const failure = (id: string) => ({ type: 'tool_result', data: { tool_use_id: id, content: 'No wood', is_error: true } })

/** Thinks, fails with its tool, thinks again and speaks. */
const failing = scripted('failing', async function* () {
  yield thinking('Wood first.')
  yield text('I look.')
  yield call('c1')
  yield failure('c1')
  yield thinking('None is left.')
  yield text('We need wood.')
  yield done
})

/** Sends a question as TanStack's client does, which names no version. */
async function ask({ send }: Serving, agent: string, runId: string, content: unknown): Promise<string> {
  const messages = [{ id: `question of ${runId}`, role: 'user', content }]
  return (await send('POST', `/api/ag-ui/${agent}`, { threadId: 't', runId, messages })).text()
}

async function hydrated({ ask: get }: Serving, query = ''): Promise<Hydration> {
  const response = await get(`/api/ag-ui/failing?threadId=t${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Hydration
}

interface Hydration {
  readonly messages: readonly { readonly id: string; readonly role: string; readonly parts: readonly object[] }[]
  readonly activeRun: unknown
  readonly interrupts: { readonly runId: string; readonly pending: readonly { readonly id: string }[] } | null
  readonly page: { readonly truncated: boolean; readonly cursor?: string }
}

it('loads a thread in the parts of TanStack: thoughts before their text, results and failures at their calls', async () => {
  const server = await startServer({ agents: [failing] })
  const picture = { type: 'image', source: { type: 'data', value: 'aGVyb24=', mimeType: 'image/png' } }
  await ask(server, 'failing', 'run-1', [{ type: 'text', text: 'Repair it' }, picture])
  const { messages, ...others } = await hydrated(server)
  expect(others).toEqual({ activeRun: null, interrupts: null, page: { truncated: false } })
  const [question, ...answers] = messages
  expect(question).toMatchObject({ id: 'question of run-1', role: 'user' })
  expect(question?.parts).toMatchObject([{ type: 'text', content: 'Repair it' }, { type: 'image' }])
  const shown = { toolCallId: 'run-1/c1', content: 'No wood', state: 'error', error: 'No wood' }
  expect(answers.map(({ parts }) => parts)).toEqual([
    [
      { type: 'thinking', content: 'Wood first.\n' },
      { type: 'text', content: 'I look.' },
      {
        type: 'tool-call',
        id: 'run-1/c1',
        name: 'repair',
        arguments: '{"part":"wheel"}',
        input: { part: 'wheel' },
        state: 'error',
        output: 'No wood',
      },
      { type: 'tool-result', ...shown },
    ],
    [
      { type: 'thinking', content: 'None is left.\n' },
      { type: 'text', content: 'We need wood.' },
    ],
  ])
  expect(new Set(answers.map(({ role }) => role))).toEqual(new Set(['assistant']))
})

it('has nothing for a thread that nobody has written in, and pages for a long one', async () => {
  const server = await startServer({ agents: [talking] })
  const nothing = { messages: [], activeRun: null, interrupts: null, page: { truncated: false } }
  expect(await hydrated(server)).toEqual(nothing)
  for (const run of ['run-1', 'run-2', 'run-3']) await ask(server, 'talking', run, `question ${run}`)
  const { messages, page } = await hydrated(server, '&limit=2')
  expect(messages[0]?.id).toBe('question of run-2')
  expect(page).toEqual({ truncated: true, cursor: 'run-2' })
  const older = await hydrated(server, '&limit=2&before=run-2')
  expect(older.messages[0]?.id).toBe('question of run-1')
  expect(older.page).toEqual({ truncated: false })
})

it('names the run to join, and that run goes on behind a cursor', async () => {
  const gate = createGate()
  const slow = scripted('slow', async function* () {
    yield text('one ')
    await gate.opened
    yield text('two')
    yield done
  })
  const server = await startServer({ agents: [slow] })
  const streamed = ask(server, 'slow', 'run-1', 'Go')
  await until(async () => (await server.log.run('run-1'))?.state === 'live')
  const { messages, activeRun } = await hydrated(server)
  expect(messages.map(({ role }) => role)).toEqual(['user'])
  expect(activeRun).toEqual({ runId: 'run-1' })
  gate.open()
  const whole = await streamed
  const path = '/api/ag-ui/slow?offset=-1&runId=run-1'
  expect(await (await server.ask(path)).text()).toBe(whole)
  const frames = whole.split('\n\n')
  const cursor = /^id: (.+)$/m.exec(frames[2] ?? '')?.[1] ?? ''
  const rest = await (await server.ask(path, { headers: { 'last-event-id': cursor } })).text()
  expect(rest).toBe(frames.slice(3).join('\n\n'))
})

it('has the question that a run waits with, its call, and no run to join', async () => {
  const server = await startServer({ agents: [asking] })
  await ask(server, 'asking', 'run-1', 'Repair it')
  const { messages, activeRun, interrupts } = await hydrated(server)
  expect(activeRun).toBeNull()
  expect(interrupts).toMatchObject({ runId: 'run-1', pending: [{ id: 'approval-1', reason: 'approval' }] })
  expect(messages.flatMap(({ parts }) => parts)).toContainEqual(
    expect.objectContaining({ type: 'tool-call', id: 'run-1/c1', state: 'input-complete' }),
  )
})
