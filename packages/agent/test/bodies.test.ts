import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import type { GenerateContentConfig } from '@google/genai'
import type { StreamEvent } from '@millrace/core/events'
import { createFold } from '@millrace/core/fold'
import { entriesOf } from '@millrace/testkit/runs'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { anthropicBody, chatBody, geminiBody, responsesBody } from '../src/model/bodies.ts'
import type { Turn } from '../src/model/turn.ts'

const conversation: readonly StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'input', role: 'user' },
  { type: 'block-start', blockId: 'q', kind: 'text', messageId: 'input' },
  { type: 'block-delta', blockId: 'q', text: 'What is on the chart?' },
  { type: 'block-end', blockId: 'q' },
  { type: 'file', fileId: 'chart', mediaType: 'image/png', url: '/api/files/chart', messageId: 'input' },
  { type: 'message-end', messageId: 'input' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'tool-start', callId: 'c1', name: 'get_tide', runBy: 'agent' },
  { type: 'tool-input', callId: 'c1', input: { harbour: 'Millport' } },
  { type: 'tool-output', callId: 'c1', status: 'ok', output: 'High' },
  { type: 'message-end', messageId: 'm' },
]

const fold = createFold({ runId: 'run' })
fold.push(entriesOf(conversation))

const parameters = { type: 'object', properties: { harbour: { type: 'string' } } }
const turn: Turn = {
  model: 'pilot-1',
  vendor: undefined,
  instructions: 'Be brief.',
  chatEvents: fold.snapshot().chatEvents,
  tools: [{ name: 'get_tide', description: 'High water.', parameters }],
  options: {},
  load: async () => ({ bytes: 'iVBORw0KGgo=' }),
}

/** A field that the vendor's own package does not have does not compile. The types of messages are tried where they are made. */
describe('a request has the shape that the vendor’s own types demand, with instructions, files, tools and results', () => {
  it('of Anthropic', async () => {
    const { messages, ...rest } = await anthropicBody(turn)
    const body: Omit<MessageCreateParamsStreaming, 'messages'> = rest
    expect(body).toMatchObject({
      system: 'Be brief.',
      stream: true,
      tools: [{ name: 'get_tide', input_schema: parameters }],
    })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(messages[0])).toContain('iVBORw0KGgo=')
  })

  it('of OpenAI Responses, which keeps no copy; only models that think are asked for their thoughts', async () => {
    const { input, ...rest } = await responsesBody(turn)
    const body: Omit<ResponseCreateParamsStreaming, 'input'> = rest
    expect(body).toMatchObject({ instructions: 'Be brief.', store: false, include: ['reasoning.encrypted_content'] })
    expect(body.tools).toMatchObject([{ type: 'function', name: 'get_tide', parameters }])
    expect(JSON.stringify(input)).toContain('iVBORw0KGgo=')
    for (const model of ['gpt-4.1', 'gpt-5.2-chat-latest']) {
      expect(await responsesBody({ ...turn, model })).not.toHaveProperty('include')
    }
  })

  it('of Chat Completions, which counts its tokens only on request', async () => {
    const { messages, ...rest } = await chatBody(turn)
    const body: Omit<ChatCompletionCreateParamsStreaming, 'messages'> = rest
    expect(body).toMatchObject({ stream_options: { include_usage: true }, tools: [{ function: { name: 'get_tide' } }] })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(JSON.stringify(messages[1])).toContain('iVBORw0KGgo=')
  })

  it('of Gemini', async () => {
    const { contents, ...rest } = await geminiBody(turn)
    const body: GenerateContentConfig = rest
    expect(body).toMatchObject({ systemInstruction: { parts: [{ text: 'Be brief.' }] } })
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user'])
    expect(JSON.stringify(contents[0])).toContain('iVBORw0KGgo=')
  })

  it('without tools and instructions, and with the instructions of the conversation behind those of the agent', async () => {
    const bare = { ...turn, tools: [], instructions: undefined }
    for (const body of await Promise.all(
      [anthropicBody, responsesBody, chatBody, geminiBody].map((make) => make(bare)),
    )) {
      expect(Object.keys(body)).not.toContain('tools')
      expect(JSON.stringify(body)).not.toContain('Be brief.')
    }
  })
})
