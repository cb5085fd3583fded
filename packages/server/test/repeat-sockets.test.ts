import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Log } from '../src/log/log.ts'
import { memory } from '../src/log/memory.ts'
import { asking, slowly, talking } from './scripted-agents.ts'
import { createGate, type Serving, startServer, until } from './serving.ts'
import { approvalsIn, connect, dial, newSession, wholeOf } from './session-client.ts'

interface Frame {
  readonly type: string
  readonly requestId: string
  readonly sequence?: number
  readonly chunk?: { readonly type: string; readonly delta?: string }
}

/** One connection of the AI SDK's WebSocket transport. */
async function chatting(server: Serving) {
  const socket = dial(server, '/api/chat/ws')
  const frames: Frame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  await once(socket, 'open')
  const send = (frame: object) => socket.send(JSON.stringify({ headers: {}, body: {}, ...frame }))
  const of = (requestId: string) => frames.filter((frame) => frame.requestId === requestId)
  return {
    socket,
    of,
    send,
    ask(requestId: string, id: string, messageId = requestId) {
      const messages = [{ id: messageId, role: 'user', parts: [{ type: 'text', text: 'hi' }] }]
      send({ type: 'send', requestId, id, messages, trigger: 'submit-message' })
    },
    resume: (requestId: string, id: string) => send({ type: 'resume', requestId, id }),
    abort: (requestId: string) => send({ type: 'abort', requestId }),
    untilType: (requestId: string, type: string) => until(() => of(requestId).some((frame) => frame.type === type)),
  }
}

describe('one connection of a chat', () => {
  it('answers request after request, each numbered from 0 and ended once', async () => {
    const server = await startServer({ agents: [talking] })
    const { ask, of, untilType } = await chatting(server)
    for (const request of ['r1', 'r2', 'r3']) {
      ask(request, 'chat')
      await untilType(request, 'end')
      const types = of(request).map(({ type }) => type)
      expect([types[0], types.filter((type) => type === 'end').length, types.at(-1)]).toEqual(['start', 1, 'end'])
      const chunks = of(request).filter(({ type }) => type === 'chunk')
      expect(chunks.map(({ sequence }) => sequence)).toEqual(chunks.map((_, at) => at))
      expect(chunks.length).toBeGreaterThan(5)
    }
    expect(await server.log.runs('chat')).toHaveLength(3)
  })

  it('has room for the next request after any number of refusals', async () => {
    const server = await startServer({ agents: [talking] })
    const { send, ask, of, untilType } = await chatting(server)
    const wrong = [{ role: 'assistant', id: 'a', parts: [] }]
    for (let round = 0; round < 3; round++) {
      const requests = Array.from({ length: 40 }, (_, nth) => `refused-${round}-${nth}`)
      for (const requestId of requests)
        send({ type: 'send', requestId, id: 'chat', messages: wrong, trigger: 'submit-message' })
      for (const requestId of requests) await untilType(requestId, 'error')
      for (const requestId of requests) expect(of(requestId)).toHaveLength(1)
      expect(JSON.stringify(of(requests[39] ?? ''))).toContain('The last message contains no question')
    }
    ask('good', 'chat')
    await untilType('good', 'end')
  })

  it('aborts one request after the other, each alone, and the runs go on', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slowly(gate.opened), talking] })
    const { ask, resume, abort, of, untilType } = await chatting(server)
    ask('first', 'chat')
    await untilType('first', 'chunk')
    for (const request of ['a', 'b', 'c', 'd']) resume(request, 'chat')
    for (const request of ['a', 'b', 'c', 'd']) await untilType(request, 'chunk')
    // That one request is over takes nothing from the others.
    resume('over', 'nothing')
    await untilType('over', 'no-active')
    for (const request of ['first', 'b', 'd']) abort(request)
    // Frames are taken in order: when this one is answered, the requests before it are aborted.
    resume('none', 'nothing')
    await untilType('none', 'no-active')
    gate.open()
    for (const request of ['a', 'c']) await untilType(request, 'end')
    for (const request of ['first', 'b', 'd']) {
      expect(of(request).map(({ type }) => type)).not.toContain('end')
      expect(JSON.stringify(of(request))).not.toContain('two')
    }
    const [run] = await server.log.runs('chat')
    expect(run?.outcome).toBe('success')
  })

  it('can abort a request before its run is found', async () => {
    const kept = await memory.open({ folder: '' })
    const [gate, speaking] = [createGate(), createGate()]
    let find = kept.runs
    const log: Log = { ...kept, runs: (id) => find(id) }
    const server = await startServer({ agents: [slowly(speaking.opened)], log })
    await server.send('POST', '/api/threads/chat/runs', { input: 'go', runId: 'r' })
    find = (id) => gate.opened.then(() => kept.runs(id))
    const { resume, abort, of, untilType } = await chatting(server)
    resume('early', 'chat')
    abort('early')
    resume('other', 'chat')
    gate.open()
    await untilType('other', 'chunk')
    speaking.open()
    await untilType('other', 'end')
    expect(of('early')).toEqual([])
  })

  it('that uses an id again can still abort the second request, when the first has ended', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slowly(gate.opened), talking] })
    const { ask, resume, abort, of, send, untilType } = await chatting(server)
    ask('twice', 'chat')
    await untilType('twice', 'chunk')
    const wrong = [{ role: 'assistant', id: 'a', parts: [] }]
    send({ type: 'send', requestId: 'twice', id: 'chat', messages: wrong, trigger: 'submit-message' })
    await untilType('twice', 'error')
    resume('twice', 'chat')
    await until(() => of('twice').filter(({ type }) => type === 'start').length === 2)
    abort('twice')
    resume('none', 'nothing')
    await untilType('none', 'no-active')
    gate.open()
    await until(async () => (await server.log.runs('chat'))[0]?.state === 'ended')
    resume('last', 'chat')
    await untilType('last', 'no-active')
    expect(of('twice').filter(({ type }) => type === 'end')).toHaveLength(1)
  })
})

describe('an id that a chat uses again at once', () => {
  it('belongs to the newer request: its abort reaches that one, though the older one ends later', async () => {
    const gate = createGate()
    const server = await startServer({ agents: [slowly(gate.opened)] })
    const { ask, resume, abort, of, untilType } = await chatting(server)
    ask('first', 'chat')
    await untilType('first', 'chunk')
    for (let starts = 1; starts <= 3; starts++) {
      resume('same', 'chat')
      await until(() => of('same').filter(({ type }) => type === 'start').length === starts)
      abort('same')
    }
    resume('none', 'nothing')
    await untilType('none', 'no-active')
    gate.open()
    await untilType('first', 'end')
    resume('last', 'chat')
    await untilType('last', 'no-active')
    expect(of('same').map(({ type }) => type)).not.toContain('end')
  })
})

describe('one connection of a session', () => {
  it('takes query after query, and counts, replays and orders the messages of all of them', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const client = await connect(server, id)
    for (let times = 1; times <= 3; times++) {
      client.send({ type: 'query', query: `question ${times}` })
      await client.untilSaid('final_answer', times)
      const whole = wholeOf(client.messages)
      const { state } = await client.ask({ type: 'get_state' })
      expect(state).toMatchObject({ state: 'completed', message_count: whole.length })
      const before = client.messages.length
      client.send({ type: 'get_messages' })
      await until(() => client.messages.length === before + whole.length)
      expect(client.messages.splice(before)).toEqual(whole)
    }
    expect(await server.log.runs(id)).toHaveLength(3)
  })

  it('refuses, answers and stops again and again, and each time says so once', async () => {
    const server = await startServer({ agents: [asking] })
    const client = await connect(server, await newSession(server))
    for (let times = 1; times <= 3; times++) {
      expect(await client.ask({ type: 'stop' })).toMatchObject({ error_code: 'not-running' })
      client.send({ type: 'query', query: 'go' })
      for (const nth of [2 * times - 1, 2 * times]) {
        await until(() => approvalsIn(client.messages).length === nth)
        expect(await client.ask({ type: 'query', query: 'more' })).toMatchObject({ error_code: 'session-busy' })
        expect(await client.ask({ type: 'approve', approval_id: 'x', approved: true })).toMatchObject({
          error_code: 'not-asked',
        })
        const approval_id = approvalsIn(client.messages).at(-1) ?? ''
        client.send({ type: 'approve', approval_id, approved: nth % 2 === 0 })
      }
      await client.untilSaid('final_answer', times)
    }
    expect(client.controls).toHaveLength(3 + 6 * 2)
    expect(JSON.stringify(client.messages).match(/it is (?:approved|denied)/g)?.length).toBeGreaterThanOrEqual(6)
  })

  it('reads on after any number of small frames', async () => {
    const server = await startServer({ agents: [talking] })
    const client = await connect(server, await newSession(server))
    for (let burst = 1; burst <= 3; burst++) {
      for (let nth = 0; nth < 1_500; nth++) client.send('{"type":"ping"}')
      await until(() => client.controls.length === burst * 1_500)
    }
  })

  it('that is lost again and again gets what it missed, once, each time it comes back', async () => {
    const server = await startServer({ agents: [talking] })
    const id = await newSession(server)
    const watching = await connect(server, id)
    const seen: unknown[] = []
    let cursor = ''
    for (let times = 1; times <= 3; times++) {
      await server.send('POST', `/api/threads/${encodeURIComponent(id)}/runs`, { input: `${times}` })
      await watching.untilSaid('final_answer', times)
      const client = await connect(server, id, cursor === '' ? '' : `?after=${encodeURIComponent(cursor)}`)
      const missed = watching.messages.length - seen.length
      if (cursor !== '') {
        await until(() => client.messages.length >= missed)
        seen.push(...client.messages)
      } else seen.push(...watching.messages)
      expect(seen).toEqual(watching.messages)
      cursor = String(watching.messages.at(-1)?.metadata.cursor)
      await client.close()
    }
  })
})
