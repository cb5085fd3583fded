import { describe, expect, it } from 'vitest'
import { createChatClient } from './chat-client.ts'
import { talking } from './scripted-agents.ts'
import { startServer } from './serving.ts'

/** What every request of a browser's page carries, and no program sends. */
const PAGE = { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }

describe('a refused request of a chat', () => {
  it('shows a person a sentence in the client of a page', async () => {
    const server = await startServer({ agents: [talking] })
    const client = createChatClient({ ...server, headers: PAGE }, 'chat-1', { agent: 'nobody' })
    await client.chat.sendMessage({ text: 'hello' })
    expect([client.chat.status, client.chat.error?.message]).toEqual(['error', 'No agent is called "nobody".'])
    const stranger = createChatClient({ ...server, token: 'wrong', headers: PAGE }, 'chat-1')
    await stranger.chat.sendMessage({ text: 'hello' })
    expect(stranger.chat.error?.message).toBe('A token is needed.')
  })

  it('has its code in a header where the body is a sentence', async () => {
    const server = await startServer({ agents: [talking] })
    const refused = await server.send('POST', '/api/chat', {}, PAGE)
    expect([refused.status, refused.headers.get('x-millrace-error')]).toEqual([400, 'bad-request'])
    expect(refused.headers.get('content-type')).toMatch(/^text\/plain/)
    const asked = await server.send('POST', '/api/chat', {}, { accept: 'text/plain' })
    expect(await asked.text()).toBe(await refused.text())
  })

  it.each([
    ['a program', '/api/chat', {}],
    ['a page that asks for JSON', '/api/chat', { ...PAGE, accept: 'application/json' }],
    ['a page on another route', '/api/threads/t/runs', PAGE],
    ['a page on a route with a similar name', '/api/chats', PAGE],
  ])('is JSON for %s', async (_who, path, headers) => {
    const server = await startServer({ agents: [talking] })
    const refused = await server.send('POST', path, {}, headers)
    expect(await refused.json()).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
  })
})

describe('a page behind a proxy that replaces the host', () => {
  it('is refused with a sentence that says what to do, and accepted once that is done', async () => {
    const origin = 'http://localhost:5173'
    const body = { id: 'chat-1', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hello' }] }] }
    const closed = await startServer({ agents: [talking] })
    const refused = await closed.send('POST', '/api/chat', body, { origin })
    const { error } = (await refused.json()) as { error: { message: string } }
    expect([refused.status, error.message]).toEqual([
      403,
      `The page ${origin} may not send requests to ${new URL(closed.url).host}. Name its origin in \`origins\` (--origin), or let the proxy in between forward the Host of the page.`,
    ])
    const open = await startServer({ agents: [talking], origins: [origin] })
    expect((await open.send('POST', '/api/chat', body, { origin })).status).toBe(200)
  })
})
