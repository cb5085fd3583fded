import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { done, talking } from './scripted-agents.ts'
import { ingested, scripted, startServer, text, until } from './serving.ts'
import { connect, newSession, wholeOf } from './session-client.ts'

const failing = scripted('failing', async function* () {
  yield text('I begin.')
  throw new RangeError('The wheel is broken.')
})
const silent = scripted('silent', async function* () {
  yield done
})
const endless = scripted('endless', async function* ({ signal }) {
  yield text('I begin.')
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
})

/** The protocol has no frame for the end of a run: a client recognises it by the last message. */
describe('the last message of a run', () => {
  it.each([
    ['success', talking, { message_type: 'final_answer' }],
    ['success', silent, { message_type: 'final_answer' }],
    ['error', failing, { message_type: 'error', error: true, error_type: 'RangeError' }],
    ['cancelled', endless, { message_type: 'error', error: true, error_type: 'CancelledError' }],
  ])('has the type of outcome %s', async (outcome, agent, metadata) => {
    const server = await startServer({ agents: [agent], report: () => {} })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    if (agent === endless) {
      await until(() => client.messages.length > 1)
      client.send({ type: 'stop' })
    }
    await client.untilSaid(metadata.message_type)
    expect((await server.log.runs(id))[0]?.outcome).toBe(outcome)
    await client.ask({ type: 'ping' })
    expect(wholeOf(client.messages).at(-1)?.metadata).toMatchObject(metadata)
    expect(client.messages.at(-1)?.metadata.streaming).toBe(false)
  })

  it('of outcome awaiting-input is neither an answer nor an error, and says that the agent waits', async () => {
    const server = await startServer()
    const [calling] = fixturesOf('openai-chat').filter(({ name }) => name.includes('tool'))
    const runId = await ingested(server, 'openai-chat', calling?.bytes ?? '')
    const run = await server.log.run(runId)
    expect(run?.outcome).toBe('awaiting-input')
    const client = await connect(server, run?.threadId ?? '', `?after=${runId}:0`)
    await until(() => client.messages.at(-1)?.metadata.agent_status === 'standby')
    expect(client.messages.at(-1)?.metadata).toMatchObject({ message_type: 'message', is_active: false })
  })
})

describe('a session that is deleted', () => {
  it('leaves none of its files, each time', async () => {
    const server = await startServer({ agents: [talking] })
    for (let time = 0; time < 2; time++) {
      const id = await newSession(server)
      const upload = await server.ask('/api/files', { method: 'POST', body: 'grain' })
      const file = (await upload.json()) as { readonly id: string; readonly url: string }
      await server.send('POST', `/api/threads/${id}/runs`, { input: { text: 'look', files: [{ id: file.id }] } })
      await until(async () => (await server.log.runs(id))[0]?.state === 'ended')
      expect((await server.ask(file.url)).status).toBe(200)
      expect((await server.ask(`/api/v2/sessions/${id}`, { method: 'DELETE' })).status).toBe(200)
      expect((await server.ask(file.url)).status).toBe(404)
    }
  })
})
