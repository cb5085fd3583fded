import { HttpAgent, type Message } from '@ag-ui/client'
import { describe, expect, it } from 'vitest'
import { framesOf } from './frames.ts'
import { asking, askingTwice, done, talking } from './scripted-agents.ts'
import { createGate, type Serving, scripted, startServer, text, until } from './serving.ts'

/** The protocol's own client. */
function clientOf({ url, token }: Serving, agent: string, threadId = 'thread-1'): HttpAgent {
  return new HttpAgent({
    url: `${url}/api/ag-ui/${agent}`,
    headers: { authorization: `Bearer ${token}` },
    threadId,
  })
}

const said = (id: string, content: string): Message => ({ id, role: 'user', content })
const textsOf = ({ messages }: HttpAgent) =>
  messages.flatMap(({ role, content }) => (typeof content === 'string' ? [`${role}: ${content}`] : []))

/** The questions of a run that have no answer. */
async function questionIds({ log }: Serving, runId: string): Promise<readonly string[]> {
  const open = new Set<string>()
  for await (const entries of log.read(runId, { after: 0, live: false })) {
    for (const { event } of entries) {
      if (event.type !== 'approval') continue
      if (event.state === 'requested') open.add(event.approvalId)
      else open.delete(event.approvalId)
    }
  }
  return [...open]
}

describe('AG-UI', () => {
  it('sends, streams text and tools, and continues in the same thread', async () => {
    const server = await startServer({ agents: [talking] })
    const client = clientOf(server, 'talking')
    for (const [id, words] of [
      ['u1', 'hello'],
      ['u2', 'again'],
    ] as const) {
      client.addMessage(said(id, words))
      await client.runAgent({ runId: `run-${id}` })
    }
    expect(textsOf(client)).toEqual([
      'user: hello',
      'assistant: You said hello, after 0.',
      'tool: turned',
      'user: again',
      'assistant: You said again, after 2.',
      'tool: turned',
    ])
    expect((await server.log.runs('thread-1')).map(({ id }) => id)).toEqual(['run-u1', 'run-u2'])
  })

  it('replays a run that is requested again, after its end and while it is live', async () => {
    const gate = createGate()
    const agent = scripted('slow', async function* () {
      yield text('one ')
      await gate.opened
      yield text('two')
      yield done
    })
    const server = await startServer({ agents: [agent] })
    const ask = () => {
      const client = clientOf(server, 'slow')
      client.addMessage(said('u1', 'go'))
      return [client, client.runAgent({ runId: 'run-1' })] as const
    }
    const [first, firstRun] = ask()
    await until(() => textsOf(first).includes('assistant: one '))
    const [second, secondRun] = ask()
    await until(() => textsOf(second).includes('assistant: one '))
    gate.open()
    await Promise.all([firstRun, secondRun])
    const [third, thirdRun] = ask()
    await thirdRun
    expect(textsOf(first)).toEqual(['user: go', 'assistant: one two'])
    expect([second.messages, third.messages]).toEqual([first.messages, first.messages])
    expect(await server.log.runs('thread-1')).toHaveLength(1)
  })

  it.each([true, false])(
    'ends the response with an interrupt, and streams what follows the answer (%s)',
    async (approved) => {
      const server = await startServer({ agents: [asking] })
      const client = clientOf(server, 'asking')
      client.addMessage(said('u1', 'repair it'))
      await client.runAgent({ runId: 'run-1' })
      for (const callId of ['c1', 'c2']) {
        expect(client.pendingInterrupts).toMatchObject([
          { toolCallId: `run-1/${callId}`, message: 'May I?', reason: 'approval' },
        ])
        const [{ id: interruptId = '' } = {}] = client.pendingInterrupts
        await client.runAgent({ resume: [{ interruptId, status: 'resolved', payload: { approved } }] })
      }
      expect(client.pendingInterrupts).toEqual([])
      const word = approved ? 'approved' : 'denied'
      expect(textsOf(client)).toEqual([
        'user: repair it',
        'assistant: Before c1.',
        `tool: it is ${word}`,
        'assistant: Before c2.',
        `tool: it is ${word}`,
        'assistant: All done.',
      ])
    },
  )

  it('replays a waiting run up to its question, and gives a repeated answer the same response', async () => {
    const server = await startServer({ agents: [asking] })
    const body = { threadId: 't', runId: 'run-1', messages: [said('u1', 'repair it')], tools: [], context: [] }
    const post = async (more: object = {}) =>
      (await server.send('POST', '/api/ag-ui/asking', { ...body, ...more })).text()
    const [one, two] = [await post(), await post()]
    expect(two).toBe(one)
    const last = framesOf(one).at(-1)?.data ?? ''
    const { outcome } = JSON.parse(last) as { outcome: { interrupts: { id: string }[] } }
    const [{ id: interruptId = '' } = {}] = outcome.interrupts
    const resume = [{ interruptId, status: 'cancelled' }]
    const answered = await post({ runId: 'run-2', resume })
    expect(answered).toContain('it is denied')
    expect(framesOf(answered)[0]?.data).toContain('"runId":"run-1.1"')
    expect(await post({ runId: 'run-2', resume })).toBe(answered)
    expect(await post()).toBe(one + answered)
  })

  it('gives a repeated answer the same response in the second run of a thread, too', async () => {
    const server = await startServer({ agents: [asking] })
    const post = async (body: object) =>
      (await server.send('POST', '/api/ag-ui/asking', { threadId: 't', tools: [], context: [], ...body })).text()
    for (const run of ['one', 'two']) {
      await post({ runId: run, messages: [said(`u-${run}`, 'repair it')] })
      for (const call of [1, 2]) {
        const open = await questionIds(server, run)
        const resume = open.map((interruptId) => ({ interruptId, status: 'resolved' }))
        const answered = await post({ runId: `${run}-${call}`, resume })
        expect(answered).toContain('it is approved')
        expect(answered).toContain(`"runId":"${run}.${call}"`)
        expect(await post({ runId: `${run}-${call}-again`, resume })).toBe(answered)
      }
    }
  })

  it('accepts answers to two concurrent questions, each with all that is open', async () => {
    const server = await startServer({ agents: [askingTwice] })
    const client = clientOf(server, 'asking-twice')
    client.addMessage(said('u1', 'repair it'))
    await client.runAgent({ runId: 'run-1' })
    for (let round = 0; round < 2 && client.pendingInterrupts.length > 0; round++) {
      const resume = client.pendingInterrupts.map(({ id: interruptId }) => ({
        interruptId,
        status: 'resolved' as const,
      }))
      await client.runAgent({ resume })
    }
    expect(client.pendingInterrupts).toEqual([])
    expect(textsOf(client)).toEqual(['user: repair it', 'tool: approved', 'tool: approved', 'assistant: All done.'])
  })

  it('stores the files of a message and gives them to the agent', async () => {
    const agent = scripted('reader', async function* ({ input }) {
      yield text(JSON.stringify([input.text, input.files?.map(({ mediaType }) => mediaType)]))
      yield done
    })
    const server = await startServer({ agents: [agent] })
    const client = clientOf(server, 'reader')
    const source = { type: 'data' as const, value: 'YWJj', mimeType: 'image/png' }
    const content = [
      { type: 'text' as const, text: 'look' },
      { type: 'image' as const, source },
    ]
    client.addMessage({ id: 'u1', role: 'user', content })
    await client.runAgent()
    expect(textsOf(client)).toEqual(['assistant: ["look",["image/png"]]'])
  })

  it.each([
    ['nobody', { threadId: 't', runId: 'r', messages: [said('u', 'x')] }, 404],
    ['talking', {}, 400],
    ['talking', { threadId: '../t', runId: 'r', messages: [said('u', 'x')] }, 400],
    ['talking', { threadId: 't', runId: 'r', messages: [] }, 400],
    ['talking', { threadId: 't', runId: 'r', messages: [{ id: 'a', role: 'assistant', content: 'x' }] }, 400],
    ['talking', { threadId: 't', runId: 'r', messages: [], resume: [{ interruptId: 'a', status: 'resolved' }] }, 409],
  ])('refuses %s %j with %i', async (agent, body, status) => {
    const server = await startServer({ agents: [talking] })
    expect((await server.send('POST', `/api/ag-ui/${agent}`, body)).status).toBe(status)
  })

  it('refuses a run of another thread', async () => {
    const server = await startServer({ agents: [talking] })
    const body = { runId: 'run-1', messages: [said('u1', 'x')] }
    await (await server.send('POST', '/api/ag-ui/talking', { ...body, threadId: 'one' })).text()
    expect((await server.send('POST', '/api/ag-ui/talking', { ...body, threadId: 'two' })).status).toBe(409)
  })
})
