import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createChatClient, createSocketChat, partsOf } from './chat-client.ts'
import { asking, slowly, talking } from './scripted-agents.ts'
import { createGate, type Serving, startServer, until } from './serving.ts'

describe("the AI SDK's chat over its WebSocket transport", () => {
  it('sends, streams and continues, and ends with the same messages as over HTTP', async () => {
    const server = await startServer({ agents: [talking] })
    const [socket, http] = [createSocketChat(server, 'chat-1'), createChatClient(server, 'chat-2')]
    for (const { chat } of [socket, http]) {
      await chat.sendMessage({ text: 'hello' })
      await chat.sendMessage({ text: 'again' })
      expect([chat.error, chat.status]).toEqual([undefined, 'ready'])
    }
    expect(partsOf(socket, 'assistant')).toEqual(partsOf(http, 'assistant'))
  })

  it('answers approvals, each with its own response', async () => {
    const server = await startServer({ agents: [asking] })
    const { chat } = createSocketChat(server, 'chat-1')
    await chat.sendMessage({ text: 'repair it' })
    for (let round = 0; round < 2; round++) {
      await until(() => chat.status === 'ready')
      const part = chat.messages
        .flatMap(({ parts }) => parts)
        .findLast((each) => each.type === 'dynamic-tool' && each.state === 'approval-requested')
      const id = part?.type === 'dynamic-tool' ? part.approval?.id : undefined
      await chat.addToolApprovalResponse({ id: id ?? '', approved: true })
    }
    await until(() => JSON.stringify(chat.messages).includes('All done.'))
    expect(chat.messages).toHaveLength(2)
  })

  it('replays a live run to a client that comes back, and reports if there is none', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slowly(gate.opened)] })
    const first = createSocketChat(server, 'chat-1')
    const sending = first.chat.sendMessage({ text: 'go' })
    await until(() => JSON.stringify(first.chat.messages).includes('one'))
    const second = createSocketChat(server, 'chat-1')
    const resuming = second.chat.resumeStream()
    await until(() => JSON.stringify(second.chat.messages).includes('one'))
    gate.open()
    await Promise.all([sending, resuming])
    expect(second.chat.messages).toEqual(first.chat.messages.slice(1))
    const late = createSocketChat(server, 'chat-1')
    await late.chat.resumeStream()
    expect([late.chat.messages, late.chat.status]).toEqual([[], 'ready'])
  })

  it('does not stop a run when its client stops reading, and handles several requests on one connection', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slowly(gate.opened), talking] })
    const { chat } = createSocketChat(server, 'chat-1')
    const sending = chat.sendMessage({ text: 'go' })
    await until(() => JSON.stringify(chat.messages).includes('one'))
    await chat.stop()
    await sending
    gate.open()
    await until(async () => (await server.log.runs('chat-1'))[0]?.outcome === 'success')
    await chat.sendMessage({ text: 'and now' })
    expect(JSON.stringify(chat.messages.at(-1))).toContain('one two')
  })

  it('names the request that fails, numbers chunks from 0, and disconnects a client that sends invalid frames', async () => {
    const server = await startServer({ agents: [talking] })
    const { frames, socket } = await connected(server)
    const request = { headers: {}, body: {}, trigger: 'submit-message' }
    socket.send(JSON.stringify({ type: 'send', requestId: 'r1', id: 'chat-1', messages: [], ...request }))
    await until(() => frames.length === 1)
    expect(frames[0]).toMatchObject({ type: 'error', requestId: 'r1', errorText: expect.stringContaining('messages') })
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }]
    socket.send(JSON.stringify({ type: 'send', requestId: 'r2', id: 'chat-1', messages, ...request }))
    await until(() => frames.at(-1)?.type === 'end')
    const chunks = frames.filter(({ type }) => type === 'chunk')
    expect(chunks.map(({ sequence }) => sequence)).toEqual(chunks.map((_, index) => index))
    expect(frames[1]).toEqual({ type: 'start', requestId: 'r2' })
    socket.send(JSON.stringify({ type: 'resume', requestId: 'r3', id: 'chat-1', headers: {}, body: {} }))
    await until(() => frames.at(-1)?.type === 'no-active')
    socket.send('nonsense')
    await new Promise((resolve) => socket.once('close', resolve))
  })

  it('limits the concurrent requests of a connection', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slowly(gate.opened)] })
    const { frames, socket } = await connected(server)
    await server.send('POST', '/api/threads/chat-1/runs', { input: 'go' })
    const resume = (requestId: string) =>
      socket.send(JSON.stringify({ type: 'resume', requestId, id: 'chat-1', headers: {}, body: {} }))
    for (let number = 0; number < 64; number++) resume(`r${number}`)
    await until(() => frames.filter(({ type }) => type === 'start').length === 64)
    resume('one more')
    await until(() => frames.some(({ type }) => type === 'error'))
    expect(frames.find(({ type }) => type === 'error')).toMatchObject({ requestId: 'one more' })
    gate.open()
    await until(() => frames.filter(({ type }) => type === 'end').length === 64)
    resume('later')
    await until(() => frames.at(-1)?.type === 'no-active')
  })

  it('is refused without the token, before the handshake', async () => {
    const server = await startServer({ agents: [talking] })
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/chat/ws`)
    const status = await new Promise((resolve) =>
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode)),
    )
    expect(status).toBe(401)
  })
})

async function connected({ url, token }: Serving) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/chat/ws`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const frames: { readonly type: string; readonly sequence?: number }[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, frames }
}
