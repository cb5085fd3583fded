import type { RunMessages } from '@millrace/core/api'
import { expect, it } from 'vitest'
import type { Agent } from '../src/run/agent.ts'
import { aborted, agentOf, bodyOf, bytesOf, lineOf, textLine } from './run-parts.ts'
import { startServer, until } from './serving.ts'

/** Takes one message, then waits until it may end. */
function agentTaking(gate: Promise<unknown>): Agent {
  const agent = agentOf(async function* ({ signal }, host) {
    yield bytesOf(textLine('Working.'))
    for await (const { text } of host.messages()) {
      yield bytesOf(textLine(text))
      break
    }
    await Promise.race([gate, aborted(signal)])
    yield* bodyOf(lineOf('done'))
  })
  return { ...agent, can: { steer: true } }
}

async function open() {
  const gate = Promise.withResolvers<void>()
  const server = await startServer({ agents: [agentTaking(gate.promise)] })
  await server.send('POST', '/api/threads/t/runs', { input: 'Begin', runId: 'r' })
  const messages = async () => ((await (await server.ask('/api/runs/r/messages')).json()) as RunMessages).messages
  const say = (messageId: string, fields = {}) =>
    server.send('POST', '/api/runs/r/messages', { messageId, text: `Text of ${messageId}`, ...fields })
  const states = async () => (await messages()).map(({ messageId, state }) => `${messageId} ${state}`)
  const ended = () => until(async () => (await server.log.run('r'))?.state === 'ended')
  return { gate, server, messages, say, states, ended }
}

it('lists the messages of a run with their texts, in order, from waiting to taken and taken back', async () => {
  const { server, messages, say, states } = await open()
  expect(await messages()).toEqual([])
  await say('a')
  await until(async () => (await states())[0] === 'a taken')
  await say('b', { when: 'next' })
  await say('c')
  expect(await messages()).toEqual([
    { messageId: 'a', text: 'Text of a', delivered: 'now', state: 'taken' },
    { messageId: 'b', text: 'Text of b', delivered: 'next', state: 'waiting' },
    { messageId: 'c', text: 'Text of c', delivered: 'now', state: 'waiting' },
  ])
  await server.send('DELETE', '/api/runs/r/messages/c', {})
  expect(await states()).toEqual(['a taken', 'b waiting', 'c taken-back'])
  expect((await server.send('DELETE', '/api/runs/r/messages/a', {})).status).toBe(409)
})

it('after a success what nobody has taken has moved to the next run; after a stop it is dropped', async () => {
  for (const [state, end] of [
    ['moved', 'release'],
    ['dropped', 'stop'],
  ] as const) {
    const { gate, server, say, states, ended } = await open()
    await say('a')
    await until(async () => (await states())[0] === 'a taken')
    await say('b')
    if (end === 'stop') await server.send('POST', '/api/runs/r/stop', {})
    else gate.resolve()
    await ended()
    expect(await states()).toEqual(['a taken', `b ${state}`])
    gate.resolve()
  }
})
