import type { Message } from '@ag-ui/client'
import { describe, expect, it } from 'vitest'
import { agUiClient, linesOf, noting } from './noting-agent.ts'
import { done } from './scripted-agents.ts'
import { createGate, scripted, startServer, until } from './serving.ts'

describe('what an AG-UI client holds and the log does not', () => {
  it('is logged as a first run, with thoughts, calls and results', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const client = agUiClient(server)
    const messages: readonly Message[] = [
      { id: 's', role: 'system', content: 'Be brief.' },
      { id: 'u1', role: 'user', content: 'When is high water?' },
      { id: 'r1', role: 'reasoning', content: 'The table knows.' },
      {
        id: 'a1',
        role: 'assistant',
        content: 'I look.',
        toolCalls: [{ id: 'c', type: 'function', function: { name: 'get_tide', arguments: '{"day":1}' } }],
      },
      { id: 't1', role: 'tool', toolCallId: 'c', content: '06:12' },
      { id: 'u2', role: 'user', content: 'And tomorrow?' },
    ]
    client.messages = [...messages]
    await client.runAgent()
    expect(linesOf(last())).toEqual([
      'user: When is high water?',
      'assistant: thinks The table knows.',
      'assistant: I look. | get_tide({"day":1}) done',
    ])
    client.addMessage({ id: 'u3', role: 'user', content: 'Thanks' })
    await client.runAgent()
    expect(linesOf(last())).toHaveLength(5)
    expect(await server.log.runs('thread-1')).toHaveLength(3)
  })

  it('decides the branch: a question is asked again, or another one, at its position', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    const client = agUiClient(server)
    for (const turn of ['one', 'two', 'three']) {
      client.addMessage({ id: `u-${turn}`, role: 'user', content: turn })
      await client.runAgent()
    }
    const { messages } = client
    const again = async (upTo: string, content = upTo) => {
      const end = messages.findIndex(({ id }) => id === `u-${upTo}`)
      client.messages = [...messages.slice(0, end), { id: `u-${content}`, role: 'user', content }]
      await client.runAgent()
      return linesOf(last())
    }
    expect(await again('two')).toEqual(['user: one', 'assistant: Answer to one.'])
    expect(await again('two', 'another')).toEqual(['user: one', 'assistant: Answer to one.'])
    expect(await again('one')).toEqual([])
  })

  it('continues the thread if the client has loaded nothing', async () => {
    const { agent, last } = noting()
    const server = await startServer({ agents: [agent] })
    for (const turn of ['one', 'two']) {
      const client = agUiClient(server)
      client.addMessage({ id: `u-${turn}`, role: 'user', content: turn })
      await client.runAgent()
    }
    expect(linesOf(last())).toEqual(['user: one', 'assistant: Answer to one.'])
  })
})

describe('a run that is being imported', () => {
  it('is not begun twice by requests at the same time, on either wire', async () => {
    const gate = createGate()
    const slow = scripted('slow', async function* () {
      await gate.opened
      yield done
    })
    const server = await startServer({ agents: [slow] })
    const clients = [1, 2, 3].map(() => agUiClient(server, 'slow'))
    const runs = clients.map((client) => {
      client.messages = [
        { id: 'a', role: 'assistant', content: 'before' },
        { id: 'u', role: 'user', content: 'now' },
      ]
      return client.runAgent({ runId: 'run-1' })
    })
    await until(async () => (await server.log.run('run-1')) !== undefined)
    gate.open()
    await Promise.all(runs)
    expect(await server.log.runs('thread-1')).toHaveLength(2)
  })
})
