import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import type { Services } from '../src/api/services.ts'
import { createFollower } from '../src/api/sessions/follower.ts'
import { historyOf } from '../src/api/sessions/history.ts'
import { splitPosition } from '../src/api/sessions/session-position.ts'
import type { Sessions } from '../src/api/sessions/sessions.ts'
import { choiceIn, newSessionId } from '../src/api/sessions/state.ts'
import { cursorShape } from '../src/api/shapes.ts'
import type { Line } from '../src/deliver/websocket.ts'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { done, talking } from './scripted-agents.ts'
import { createGate, ingested, scripted, startServer, text, until } from './serving.ts'
import { connect, cursorOf, newSession, type RunMessage, shown, wholeOf } from './session-client.ts'

const [recording] = fixturesOf('agent-lines').filter(({ name }) => name.includes('deepagents'))

describe('the history of a session', () => {
  it('ends at any requested position', async () => {
    const server = await startServer()
    const runId = await ingested(server, 'agent-lines', recording?.bytes ?? '')
    const { threadId = '' } = (await server.log.run(runId)) ?? {}
    const client = await connect(server, threadId, `?after=${runId}:0`)
    await client.untilSaid('final_answer')
    const runs = await server.log.runs(threadId)
    for (const [at, message] of client.messages.entries()) {
      const upTo = { runId, cursor: cursorShape.parse(splitPosition(cursorOf(message)).cursor) }
      const history = await historyOf(server.log, runs, { limit: 1_000, upTo })
      expect(history).toEqual(wholeOf(client.messages.slice(0, at + 1)))
    }
  })

  it('has no run after that position', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const client = await connect(server, id)
    for (const times of [1, 2]) {
      client.send({ type: 'query', query: 'hello' })
      await client.untilSaid('final_answer', times)
    }
    const runs = await server.log.runs(id)
    const upTo = { runId: runs[0]?.id ?? '', cursor: { seq: 1_000 } }
    const history = (await historyOf(server.log, runs, { limit: 1_000, upTo })) as unknown as RunMessage[]
    expect(history).toEqual(wholeOf(client.messages).filter((each) => cursorOf(each).startsWith(`${upTo.runId}:`)))
  })

  it('is sent without interruption while the run continues', async () => {
    const [speaking, reading] = [createGate(), createGate()]
    const agent = scripted('slow', async function* () {
      yield text('one ')
      yield text('two ')
      await speaking.opened
      yield text('three')
      yield done
    })
    const memoryLog = await memory.open({ folder: '' })
    const log: Log = {
      ...memoryLog,
      async *read(runId, options) {
        if (!options.live) await reading.opened
        yield* memoryLog.read(runId, options)
      },
    }
    const server = await startServer({ agents: [agent], log })
    const id = await newSession(server)
    const client = await connect(server, id)
    client.send({ type: 'query', query: 'go' })
    await until(() => shown(client.messages).includes('one two '))
    const before = client.messages.length
    client.send({ type: 'get_messages' })
    // The answer to a ping would come after the history: a second client shows that the run continues.
    const other = await connect(server, id)
    speaking.open()
    await other.untilSaid('final_answer')
    expect(client.messages).toHaveLength(before)
    reading.open()
    await client.untilSaid('final_answer')
    const whole = wholeOf(client.messages.slice(0, before))
    expect(client.messages.slice(before)).toEqual([...whole, ...other.messages.slice(before)])
  })
})

describe('a follower of a session', () => {
  it('gets a run that begins while it looks for one, and stops listening when its client is gone', async () => {
    const looks: (() => void)[] = []
    const rings = new Set<() => void>()
    const gone = new AbortController()
    const follower = createFollower({
      services: { log: { runs: () => new Promise((resolve) => looks.push(() => resolve([]))) } } as unknown as Services,
      sessions: {
        listen(_id: string, ring: () => void) {
          rings.add(ring)
          return () => rings.delete(ring)
        },
      } as unknown as Sessions,
      sessionId: 's',
      wire: 'ds-agent',
      messagesOf: () => [],
      line: { sink: { closed: gone.signal } } as unknown as Line,
    })
    const followed = follower.follow()
    await until(() => looks.length === 1)
    for (const ring of rings) ring()
    looks[0]?.()
    await until(() => looks.length === 2)
    looks[1]?.()
    gone.abort()
    await followed
    expect(rings.size).toBe(0)
  })
})

describe('a session', () => {
  it('accepts one of several concurrent queries, however slow the log is', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      await gate.opened
      yield done
    })
    const memoryLog = await memory.open({ folder: '' })
    const log: Log = {
      ...memoryLog,
      async runs(threadId) {
        const runs = await memoryLog.runs(threadId)
        await new Promise((resolve) => setTimeout(resolve, 50))
        return runs
      },
    }
    const server = await startServer({ agents: [agent], log })
    const id = await newSession(server)
    const clients = await Promise.all([1, 2, 3].map(() => connect(server, id)))
    for (const client of clients) client.send({ type: 'query', query: 'go' })
    const controls = () => clients.flatMap((client) => client.controls)
    await until(() => controls().length === 2)
    expect(controls()).toMatchObject(Array(2).fill({ type: 'error', error_code: 'session-busy' }))
    expect(await server.log.runs(id)).toHaveLength(1)
    gate.open()
  })

  it("ignores a subagent's own run", async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const run = { threadId: id, format: 'agent-lines', parserVersion: 1, attempt: 1, parentRunId: 'elsewhere' }
    await server.log.createRun({ ...run, id: 'inner' })
    const client = await connect(server, id)
    expect(await client.ask({ type: 'get_state' })).toMatchObject({ state: { state: 'idle', message_count: 0 } })
    client.send({ type: 'query', query: 'hello' })
    await client.untilSaid('final_answer')
    expect(client.controls).toHaveLength(1)
    await server.log.append(
      'inner',
      { epoch: 0, afterSeq: 0 },
      { inputs: [], events: [{ type: 'run-end', outcome: 'success' }] },
    )
  })

  it.each(['demo', 'Wächter der Mühle', '~', ' '])(
    'is created for the agent "%s", and its id contains what was chosen',
    (agentType) => {
      for (const choice of [{ agentType }, { agentType, profile: 'cumulative' }, { profile: 'cumulative' }, {}]) {
        const id = newSessionId(choice)
        expect(choiceIn(id)).toEqual({ agentType: undefined, profile: undefined, ...choice })
        expect(id).toMatch(/^[\w~-]+$/)
        expect(newSessionId(choice)).not.toBe(id)
      }
    },
  )
})
