import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getParser } from '@millrace/core/parse'
import { createReader } from '@millrace/core/read'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { sqlite } from '../src/log/sqlite.ts'
import { asking, done, talking } from './scripted-agents.ts'
import { createGate, ingested, scripted, startServer, text, until } from './serving.ts'
import { connect, cursorOf, isOf, newSession, type RunMessage, shown, wholeOf } from './session-client.ts'

const [recording] = fixturesOf('agent-lines').filter(({ name }) => name.includes('deepagents'))

const resumed = (message: RunMessage) => `?after=${encodeURIComponent(cursorOf(message))}`

/** Sends its words, each when its gate is opened. */
function createSpeaker(words: readonly string[]) {
  const gates = words.map(() => createGate())
  const agent = scripted('speaker', async function* () {
    for (const [at, word] of words.entries()) {
      await gates[at]?.opened
      yield text(word)
    }
    yield done
  })
  return { agent, open: (at: number) => gates[at]?.open() }
}

describe('a client of a session that comes back', () => {
  it('gets exactly what follows each cursor of a run', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', recording?.bytes ?? '')
    const { threadId = '' } = (await server.log.run(runId)) ?? {}
    const all = await connect(server, threadId, `?after=${runId}:0`)
    await all.untilSaid('final_answer')
    expect(all.messages.length).toBeGreaterThan(10)
    for (const [at, message] of all.messages.entries()) {
      const client = await connect(server, threadId, resumed(message))
      const rest = all.messages.slice(at + 1)
      await until(() => client.messages.length >= rest.length)
      await client.ask({ type: 'ping' })
      expect(client.messages).toEqual(rest)
      await client.close()
    }
  })

  it('gets the rest of a run that has continued meanwhile', async () => {
    const { agent, open } = createSpeaker(['one ', 'two ', 'three ', 'four'])
    const server = await startServer({ agents: [agent] })
    const id = await newSession(server)
    const first = await connect(server, id)
    first.send({ type: 'query', query: 'go' })
    open(0)
    open(1)
    await until(() => shown(first.messages).includes('one two '))
    await first.close()
    open(2)
    await until(async () => ((await server.log.runs(id))[0]?.rawRecords ?? 0) === 3)
    const second = await connect(server, id, resumed(first.messages.at(-1) as RunMessage))
    await until(() => second.messages.length > 0)
    open(3)
    await second.untilSaid('final_answer')
    const third = await connect(server, id, resumed(first.messages[0] as RunMessage))
    await third.untilSaid('final_answer')
    const [question, ...rest] = [...first.messages, ...second.messages]
    expect(rest).toEqual(third.messages)
    expect([question?.content, shown(rest)]).toEqual(['go', expect.arrayContaining(['one two three four'])])
  })

  it('gets the live run from its first message if it sends no cursor, and no older run', async () => {
    const { agent, open } = createSpeaker(['one ', 'two'])
    const server = await startServer({ agents: [talking, agent] })
    const id = await newSession(server, { agent_type: 'speaker' })
    await server.send('POST', `/api/threads/${id}/runs`, { agent: 'talking', input: 'earlier' })
    await until(async () => (await server.log.runs(id))[0]?.state === 'ended')
    const first = await connect(server, id)
    await first.ask({ type: 'ping' })
    expect(first.messages).toEqual([])
    first.send({ type: 'query', query: 'go' })
    open(0)
    await until(() => first.messages.length > 0)
    await first.close()
    const second = await connect(server, id)
    open(1)
    await second.untilSaid('final_answer')
    expect(second.messages[0]).toMatchObject({ role: 'user', content: 'go' })
    expect(JSON.stringify(second.messages)).not.toContain('earlier')
  })

  it('gets the runs that others have started since', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const [client, other] = [await connect(server, id), await connect(server, id)]
    client.send({ type: 'query', query: 'one' })
    await client.untilSaid('final_answer')
    await client.close()
    for (const [at, query] of ['two', 'three'].entries()) {
      other.send({ type: 'query', query })
      await other.untilSaid('final_answer', at + 2)
    }
    const back = await connect(server, id, resumed(client.messages.at(-1) as RunMessage))
    await back.untilSaid('final_answer', 2)
    expect([...client.messages, ...back.messages]).toEqual(other.messages)
  })

  it('gets a history that ends at the position of the live stream', async () => {
    const { agent, open } = createSpeaker(['one ', 'two'])
    const server = await startServer({ agents: [talking, agent] })
    const id = await newSession(server, { agent_type: 'speaker' })
    await server.send('POST', `/api/threads/${id}/runs`, { agent: 'talking', input: 'earlier' })
    await until(async () => (await server.log.runs(id))[0]?.state === 'ended')
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    open(0)
    await until(async () => ((await server.log.runs(id))[1]?.rawRecords ?? 0) === 1)
    await client.ask({ type: 'ping' })
    const before = client.messages.length
    client.send({ type: 'get_messages' })
    await client.ask({ type: 'ping' })
    const history = client.messages.slice(before)
    expect(history[0]).toMatchObject({ role: 'user', content: 'earlier' })
    expect(wholeOf(history)).toEqual(history)
    open(1)
    await client.untilSaid('final_answer', 2)
    const [start, end] = [client.messages.slice(0, before), client.messages.slice(before + history.length)]
    const again = await connect(server, id, `?after=${(await server.log.runs(id))[1]?.id}:0`)
    await again.untilSaid('final_answer')
    expect([...start, ...end]).toEqual(again.messages)
  })
})

describe('a session after a crash', () => {
  /** Two servers with one log, one after the other; the first dies during a run. */
  async function crashed(agents: Parameters<typeof startServer>[0]) {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-sessions-'))
    const log = await sqlite.open({ folder })
    const server = await startServer({ ...agents, log, dataFolder: folder })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    return { folder, log, server, id, client }
  }

  it('is not busy: it reports that the run was interrupted, and accepts the next query', async () => {
    const { agent, open } = createSpeaker(['one ', 'two'])
    const before = await crashed({ agents: [agent] })
    open(0)
    await until(async () => ((await before.log.runs(before.id))[0]?.rawRecords ?? 0) === 1)
    // The next process finds only what is durable.
    const server = await startServer({ agents: [talking], ...(await copyOf(before)) })
    const client = await connect(server, before.id)
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { state: 'idle' } })
    client.send({ type: 'query', query: 'hello' })
    expect(await client.ask({ type: 'ping' })).toEqual({ type: 'pong' })
    await client.untilSaid('final_answer')
    expect((await server.log.runs(before.id)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'success'])
    const old = await (await server.ask(`/api/v2/sessions/${before.id}/messages`)).json()
    const { messages } = old as { messages: RunMessage[] }
    expect(messages.filter(isOf('error')).map(({ metadata }) => metadata.error_type)).toEqual(['InterruptedError'])
  })

  it('is not busy with a question whose agent is gone', async () => {
    const before = await crashed({ agents: [asking] })
    await until(async () => (await before.log.runs(before.id))[0]?.rawRecords === 2)
    await until(() => JSON.stringify(before.client.messages).includes('May I?'))
    const server = await startServer({ agents: [talking], ...(await copyOf(before)) })
    const client = await connect(server, before.id)
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { state: 'idle' } })
    client.send({ type: 'query', query: 'hello' })
    await until(() => shown(client.messages).some((words) => words.includes('You said hello')))
    expect((await server.log.runs(before.id)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'success'])
  })

  it('is not busy with the question of a stream whose producer is gone', async () => {
    const server = await startServer({ agents: [talking] })
    const { log } = server
    const id = await newSession(server)
    await log.createRun({ id: 'r', threadId: id, format: 'agent-lines', parserVersion: 1, attempt: 1 })
    const event = { type: 'approval', approvalId: 'a', state: 'requested', message: 'May I?' } as const
    const events = createReader(getParser('agent-lines')).add(event)
    await log.append('r', { epoch: 0, afterSeq: 0 }, { inputs: [{ by: 'server', event }], events })
    await log.release('r', 0)
    const client = await connect(server, id)
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { state: 'processing' } })
    client.send({ type: 'query', query: 'hello' })
    await until(() => shown(client.messages).some((words) => words.includes('You said hello')))
    expect((await log.runs(id)).map(({ outcome }) => outcome)).toEqual(['cancelled', 'success'])
  })
})

/** A copy of the log's files while the first process still runs: as after a crash. */
async function copyOf({ folder }: { readonly folder: string }) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-sessions-'))
  await cp(folder, dataFolder, { recursive: true })
  return { dataFolder, log: await sqlite.open({ folder: dataFolder }) }
}
