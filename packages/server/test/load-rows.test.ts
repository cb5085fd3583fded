import type { ThreadRows } from '@millrace/core/api'
import { partsOfRow } from '@millrace/core/fold'
import { expect, it } from 'vitest'
import { createChatClient } from './chat-client.ts'
import { done } from './scripted-agents.ts'
import { createGate, scripted, startServer, text, until } from './serving.ts'

/** Shows statuses and thoughts, and answers when the gate is open. */
const agentBehind = (gate: Promise<void>) =>
  scripted('worker', async function* ({ input }) {
    yield { type: 'status', data: { message: 'Looking' } }
    yield { type: 'thinking', data: { content: 'Wood first.' } }
    yield { type: 'status', data: { message: 'Measuring' } }
    await gate
    yield text(`You said ${input.text}.`)
    yield done
  })

it('S0-97, S0-98, S0-102, S0-103, S0-104, S0-105: has what people said, and for each answer the row that is stored with it, under the ids of the chat', async () => {
  const server = await startServer({ agents: [agentBehind(Promise.resolve())] })
  const client = createChatClient(server, 'chat-1')
  await client.chat.sendMessage({ text: 'first' })
  await client.chat.sendMessage({ text: 'second' })
  const { id, title, rows } = (await (await server.ask('/api/threads/chat-1?rows=1')).json()) as ThreadRows
  expect({ id, title }).toEqual({ id: 'chat-1', title: 'first' })
  expect(rows.map((row) => row.id)).toEqual(client.chat.messages.map((message) => message.id))
  expect(rows.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'first'],
    ['assistant', 'You said first.'],
    ['user', 'second'],
    ['assistant', 'You said second.'],
  ])
  const stored = (await server.log.messages('chat-1')).map(({ content, metadata }) => ({ content, metadata }))
  const answers = rows.filter(({ role }) => role === 'assistant')
  expect(answers.map(({ content, metadata }) => ({ content, metadata }))).toEqual(stored)
  expect(answers[0] && partsOfRow(answers[0])).toMatchObject([
    { text: 'Looking\nMeasuring', providerMetadata: { mobox: { variant: 'processing' } } },
    { text: 'Wood first.\n', providerMetadata: { mobox: { variant: 'thinking' } } },
    { type: 'text', text: 'You said first.' },
  ])
})

it('has no row for an answer that is under way, none of another branch, and pages', async () => {
  const gate = createGate()
  const server = await startServer({ agents: [agentBehind(gate.opened)] })
  const client = createChatClient(server, 'chat-1')
  const sending = client.chat.sendMessage({ text: 'first' })
  await until(() => client.chat.messages.length === 2)
  const rowsAt = async (query: string) =>
    (await (await server.ask(`/api/threads/chat-1?rows=1${query}`)).json()) as ThreadRows
  expect((await rowsAt('')).rows.map(({ content }) => content)).toEqual(['first'])
  gate.open()
  await sending
  await client.chat.regenerate()
  await client.chat.sendMessage({ text: 'second' })
  expect((await rowsAt('')).rows.map(({ content }) => content)).toEqual([
    'first',
    'You said first.',
    'second',
    'You said second.',
  ])
  const { rows, next = '' } = await rowsAt('&limit=1')
  expect(rows.map(({ content }) => content)).toEqual(['second', 'You said second.'])
  expect((await rowsAt(`&before=${next}`)).rows.map(({ content }) => content)).toEqual(['first', 'You said first.'])
})

it('is refused for a thread that does not exist, and for any other value', async () => {
  const server = await startServer({ agents: [agentBehind(Promise.resolve())] })
  expect((await server.ask('/api/threads/nowhere?rows=1')).status).toBe(404)
  await createChatClient(server, 'chat-1').chat.sendMessage({ text: 'first' })
  expect((await server.ask('/api/threads/chat-1?rows=all')).status).toBe(400)
})
