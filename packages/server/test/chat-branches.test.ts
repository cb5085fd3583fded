import { describe, expect, it } from 'vitest'
import { type ChatClient, createChatClient, partsOf } from './chat-client.ts'
import { asking, done, talking } from './scripted-agents.ts'
import { scripted, startServer, text, until } from './serving.ts'

const answersOf = (client: ChatClient) =>
  partsOf(client, 'assistant').map((parts) =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  )

/** Sends its history, with a different text each time. */
function createRemembering() {
  let runs = 0
  return scripted('remembering', async function* ({ input, history }) {
    const said = history.flatMap(({ segments }) =>
      segments.flatMap((each) => (each.type === 'text' ? [each.text] : [])),
    )
    yield text(`[${said.join('|')}] ${input.text} #${++runs}`)
    yield done
  })
}

describe('a chat with regenerated answers', () => {
  it('continues the conversation that its client shows, even if another client has begun a branch', async () => {
    const server = await startServer({ agents: [createRemembering()] })
    const one = createChatClient(server, 'c')
    await one.chat.sendMessage({ text: 'hello' })
    const two = createChatClient(server, 'c')
    two.chat.messages = structuredClone(one.chat.messages)
    await two.chat.regenerate()
    const [first] = answersOf(one)
    await one.chat.sendMessage({ text: 'again' })
    expect(answersOf(one)[1]).toContain(`[hello|${first}] again`)
  })

  it('continues from its last answer if the client sends its newest message alone', async () => {
    const server = await startServer({ agents: [createRemembering()] })
    for (const word of ['one', 'two', 'three']) {
      const message = { id: `u-${word}`, role: 'user', parts: [{ type: 'text', text: word }] }
      await (await server.send('POST', '/api/chat', { id: 'c', messages: [message] })).text()
    }
    const runs = await server.log.runs('c')
    expect(runs.map(({ afterRunId }) => afterRunId)).toEqual([undefined, runs[0]?.id, runs[1]?.id])
  })

  it('begins anew, or continues an earlier run, if a request of the native API says so', async () => {
    const server = await startServer({ agents: [createRemembering()] })
    const start = async (input: string, more: object = {}) => {
      const response = await server.send('POST', '/api/threads/t/runs', { input, ...more })
      const { runId } = (await response.json()) as { readonly runId: string }
      await until(async () => (await server.log.run(runId))?.state === 'ended')
      return runId
    }
    const one = await start('one')
    await start('two')
    const other = await start('another two', { afterRunId: one })
    const anew = await start('another one', { afterRunId: null })
    const links = (await server.log.runs('t')).map(({ id, afterRunId }) => [id, afterRunId])
    expect(links.slice(2)).toEqual([
      [other, one],
      [anew, undefined],
    ])
    const answer = await (await server.send('GET', '/api/threads/t', undefined)).text()
    expect(answer).toContain('[] another one #4')
  })

  it('does not repeat a question of an abandoned branch', async () => {
    const server = await startServer({ agents: [talking, asking] })
    const one = createChatClient(server, 'c', { agent: 'asking' })
    await one.chat.sendMessage({ text: 'hello' })
    await one.chat.regenerate({ body: { agent: 'talking' } })
    const two = createChatClient(server, 'c')
    two.chat.messages = structuredClone(one.chat.messages)
    await two.chat.resumeStream()
    expect([two.statuses, answersOf(two).length]).toEqual([[204], 1])
  })

  it('uses the profile in its URL, and refuses an unknown one', async () => {
    const server = await startServer({ agents: [talking] })
    const body = { id: 'c', messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] }] }
    const said = await (await server.send('POST', '/api/chat?profile=mobox', body)).text()
    expect(said).toContain('"id":"text_1"')
    const refused = await server.send('POST', '/api/chat?profile=other', body)
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'unknown-profile' } }])
  })

  it('refuses an answer to a question of an ended run, on both wires', async () => {
    const left = scripted(
      'left',
      async function* () {
        yield { type: 'start' }
        yield { type: 'tool-input-start', toolCallId: 'c1', toolName: 'repair', dynamic: true }
        yield { type: 'tool-input-available', toolCallId: 'c1', toolName: 'repair', dynamic: true, input: {} }
        yield { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }
        yield { type: 'finish', finishReason: 'tool-calls' }
      },
      'ai-sdk',
    )
    const server = await startServer({ agents: [left] })
    const client = createChatClient(server, 'c')
    await client.chat.sendMessage({ text: 'hello' })
    await until(async () => (await server.log.runs('c'))[0]?.state === 'ended')
    await client.chat.addToolApprovalResponse({ id: 'a1', approved: true })
    await until(() => client.chat.status === 'error')
    expect(client.statuses).toEqual([200, 409])
    const resume = [{ interruptId: 'a1', status: 'resolved' }]
    const told = await server.send('POST', '/api/ag-ui/left', { threadId: 'c', runId: 'next', resume })
    expect([told.status, await told.json()]).toMatchObject([409, { error: { code: 'not-asked' } }])
  })
})
