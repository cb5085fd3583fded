import type { ThreadHistory } from '@millrace/core/api'
import { describe, expect, it } from 'vitest'
import { createChatClient } from './chat-client.ts'
import { talking } from './scripted-agents.ts'
import { type Serving, scripted, startServer } from './serving.ts'

const jsonOf = async <Body>({ ask }: Serving, path: string) => (await (await ask(path)).json()) as Body

describe('a thread on a wire', () => {
  it('has its runs and the messages of the wire, also in a profile', async () => {
    const busy = scripted(
      'busy',
      async function* () {
        yield { type: 'start' }
        yield { type: 'data-status', id: 'status_1', data: { message: 'Turning', level: 'info' } }
        yield { type: 'finish' }
      },
      'ai-sdk',
    )
    const server = await startServer({ agents: [busy] })
    const client = createChatClient(server, 'chat-1')
    await client.chat.sendMessage({ text: 'first' })
    const [run] = await server.log.runs('chat-1')
    const thread = await jsonOf<ThreadHistory>(server, '/api/threads/chat-1?wire=ai-sdk')
    expect(thread).toMatchObject({
      id: 'chat-1',
      title: 'first',
      wire: 'ai-sdk',
      messages: JSON.parse(JSON.stringify(client.chat.messages)),
    })
    expect(thread.runs).toMatchObject([{ id: run?.id, state: 'ended', seq: run?.seq }])
    expect(thread).not.toHaveProperty('chatEvents')
    const mobox = await jsonOf<ThreadHistory>(server, '/api/threads/chat-1?wire=ai-sdk&profile=mobox')
    expect(mobox.messages[1]?.parts).toMatchObject([{ type: 'reasoning', text: expect.stringContaining('Turning') }])
  })

  it('is refused for a wire that has no messages, no such name or no such profile', async () => {
    const server = await startServer({ agents: [talking] })
    await createChatClient(server, 'chat-1').chat.sendMessage({ text: 'first' })
    const codeOf = async (query: string) => {
      const response = await server.ask(`/api/threads/chat-1?${query}`)
      return [response.status, ((await response.json()) as { readonly error: { readonly code: string } }).error.code]
    }
    expect(await codeOf('wire=native')).toEqual([400, 'no-history'])
    expect(await codeOf('wire=agent-event')).toEqual([400, 'no-history'])
    expect(await codeOf('wire=nothing')).toEqual([400, 'unknown-wire'])
    expect(await codeOf('wire=ai-sdk&profile=nothing')).toEqual([400, 'unknown-profile'])
    expect((await server.ask('/api/threads/nowhere?wire=ai-sdk')).status).toBe(404)
  })
})
