import { describe, expect, it } from 'vitest'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

/** An agent that calls another one, and one that answers when the gate is open. */
function nested() {
  const gate = createGate()
  const caller = scripted('caller', async function* (_request, host) {
    const child = await host.runAgent('helper', 'Sound the depth.')
    for await (const event of child.events()) if (event.type === 'block-delta') yield text(`${event.text} `)
    yield { type: 'done', data: {} }
  })
  const helper = scripted('helper', async function* ({ signal }) {
    yield text('Sounding.')
    await Promise.race([gate.opened, new Promise((resolve) => signal.addEventListener('abort', resolve))])
    yield { type: 'done', data: {} }
  })
  return { gate, agents: [caller, helper] }
}

async function begin(server: Serving): Promise<{ readonly parent: string; readonly child: string }> {
  await server.send('POST', '/api/threads/t/runs', { agent: 'caller', input: 'Go', runId: 'r' })
  await until(async () => (await server.log.runs('t'))[1]?.seq === 9)
  const [, child] = await server.log.runs('t')
  return { parent: 'r', child: child?.id ?? '' }
}

const isEnded = (server: Serving, id: string) => until(async () => (await server.log.run(id))?.state === 'ended')
const json = async (response: Response) => (await response.json()) as never

describe('a run that another run has begun', () => {
  it('is a run of the thread, but no part of the conversation', async () => {
    const { gate, agents } = nested()
    const server = await startServer({ agents })
    const { parent, child } = await begin(server)
    const { threads }: { threads: readonly { lastRun: object }[] } = await json(await server.ask('/api/threads'))
    expect(threads).toMatchObject([{ id: 't', lastRun: { id: parent, state: 'live' } }])
    const response = await server.ask('/api/threads/t')
    const { runs, chatEvents }: { runs: object[]; chatEvents: { runId: string }[] } = await json(response)
    expect(runs).toMatchObject([{ id: parent }, { id: child, parentRunId: parent }])
    expect(chatEvents.map(({ runId }) => runId)).toEqual([parent, parent])
    gate.open()
    await isEnded(server, parent)
    expect(await server.log.messages('t')).toHaveLength(1)
    await server.send('POST', '/api/threads/t/runs', { agent: 'helper', input: 'And now?', runId: 'next' })
    expect(await server.log.run('next')).toMatchObject({ afterRunId: parent })
  })

  it('ends with the conversation that is stopped', async () => {
    const server = await startServer({ agents: nested().agents })
    const { parent, child } = await begin(server)
    const stopped = await server.send('POST', '/api/chat/t/stop', {})
    expect(await stopped.json()).toMatchObject({ runIds: [parent] })
    await isEnded(server, parent)
    expect(await server.log.run(parent)).toMatchObject({ outcome: 'cancelled' })
    await isEnded(server, child)
    expect(await server.log.run(child)).toMatchObject({ outcome: 'cancelled' })
  })

  it('ends with its parent, which may not wait for it', async () => {
    const leaving = scripted('caller', async function* (_request, host) {
      await host.runAgent('helper', 'Sound the depth.')
      yield { type: 'done', data: {} }
    })
    const server = await startServer({ agents: [leaving, ...nested().agents.slice(1)] })
    await server.send('POST', '/api/threads/t/runs', { agent: 'caller', input: 'Go', runId: 'r' })
    await isEnded(server, 'r')
    const [, child] = await server.log.runs('t')
    await isEnded(server, child?.id ?? '')
    expect((await server.log.runs('t')).map(({ outcome }) => outcome)).toEqual(['success', 'cancelled'])
  })

  it('is the message of a chat that is resumed, as long as its parent is', async () => {
    const { gate, agents } = nested()
    const server = await startServer({ agents })
    await begin(server)
    const response = await server.ask('/api/chat/t/stream')
    gate.open()
    expect(await response.text()).toContain('"messageId":"r"')
  })
})
