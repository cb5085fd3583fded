import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Content } from '@google/genai'
import type { StreamEvent } from '@millrace/core/events'
import { createFold } from '@millrace/core/fold'
import {
  summaryOf,
  toAnthropicMessages,
  toGemini,
  toModelMessages,
  toOpenAIChat,
  toOpenAIResponses,
  toTexts,
  withFiles,
} from '@millrace/core/messages'
import { entriesOf } from '@millrace/testkit/runs'
import type { ModelMessage } from 'ai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'

const history = (events: readonly StreamEvent[]) => {
  const fold = createFold({ runId: 'run' })
  fold.push(entriesOf(events))
  return fold.snapshot().chatEvents
}

const loop: readonly StreamEvent[] = [
  { type: 'run-start' },
  { type: 'message-start', messageId: 'input', role: 'user' },
  { type: 'block-start', blockId: 'q', kind: 'text', messageId: 'input' },
  { type: 'block-delta', blockId: 'q', text: 'When may we leave?' },
  { type: 'block-end', blockId: 'q' },
  { type: 'file', fileId: 'chart', mediaType: 'image/png', url: '/api/files/chart', messageId: 'input' },
  { type: 'message-end', messageId: 'input' },
  { type: 'message-start', messageId: 'm1', role: 'assistant', model: 'claude-sonnet-5' },
  { type: 'block-start', blockId: 't', kind: 'reasoning', variant: 'thinking' },
  { type: 'block-delta', blockId: 't', text: 'Two gauges.' },
  { type: 'block-patch', blockId: 't', signature: 'c2ln' },
  { type: 'block-end', blockId: 't' },
  { type: 'tool-start', callId: 'toolu_1', name: 'get_tide', runBy: 'client' },
  { type: 'tool-input', callId: 'toolu_1', input: { harbour: 'Millport' } },
  { type: 'block-start', blockId: 'between', kind: 'text' },
  { type: 'block-delta', blockId: 'between', text: 'And the wind.' },
  { type: 'block-end', blockId: 'between' },
  { type: 'tool-start', callId: 'toolu_2', name: 'get_wind', runBy: 'client' },
  { type: 'tool-input', callId: 'toolu_2', input: {} },
  { type: 'message-end', messageId: 'm1' },
  { type: 'tool-output', callId: 'toolu_2', status: 'error', output: 'The gauge is offline.', error: 'offline' },
  { type: 'tool-output', callId: 'toolu_1', status: 'ok', output: '06:12' },
  { type: 'message-start', messageId: 'm2', role: 'assistant', model: 'claude-sonnet-5' },
  { type: 'block-start', blockId: 'a', kind: 'text' },
  { type: 'block-delta', blockId: 'a', text: 'At 06:12.' },
  { type: 'block-end', blockId: 'a' },
  { type: 'message-end', messageId: 'm2' },
  { type: 'run-end', outcome: 'success' },
]

const input = { text: 'Thanks. And tomorrow?' }
const load = () => Promise.resolve({ bytes: 'iVBORw0KGgo=' })

describe('the messages of the next request', () => {
  it('S3-47: puts all results of parallel calls directly behind them, in the order of the calls', () => {
    const { messages } = toAnthropicMessages(history(loop), { input })
    expect(messages.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text', 'file-reference']],
      ['assistant', ['thinking', 'tool_use', 'text', 'tool_use']],
      ['user', ['tool_result', 'tool_result']],
      ['assistant', ['text']],
      ['user', ['text']],
    ])
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_1', content: '06:12' },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'The gauge is offline.', is_error: true },
    ])
  })

  it('are accepted by the types of each library once their files are loaded', async () => {
    const chatEvents = history(loop)
    const anthropic: readonly Pick<MessageParam, 'role'>[] = (await withFiles(toAnthropicMessages(chatEvents), load))
      .messages
    const chat: readonly ChatCompletionMessageParam[] = (await withFiles(toOpenAIChat(chatEvents), load))
      .messages as never
    const responses = (await withFiles(toOpenAIResponses(chatEvents), load)).messages
    const gemini: readonly Content[] = (await withFiles(toGemini(chatEvents), load)).messages
    const model: readonly ModelMessage[] = (await withFiles(toModelMessages(chatEvents), load)).messages
    const items = responses as readonly ResponseInputItem[]
    for (const messages of [anthropic, chat, items, gemini, model]) {
      expect(JSON.stringify(messages)).toContain('iVBORw0KGgo=')
      expect(JSON.stringify(messages)).not.toContain('file-reference')
    }
  })

  it('S3-50: are summed up by the roles and block types of the last six, without any of their words', () => {
    const { messages } = toAnthropicMessages(history(loop), { input })
    expect(summaryOf(messages)).toBe(
      'user[text,file-reference] assistant[thinking,tool_use,text,tool_use] user[tool_result,tool_result] assistant[text] user[text]',
    )
    expect(summaryOf(toOpenAIChat(history(loop), { input }).messages)).toBe(
      'user[text,file-reference] assistant[text,function,function] tool[text] tool[text] assistant[text] user[text]',
    )
  })

  it('are plain texts for a framework that takes nothing else: no calls, no thoughts, nothing that was taken back', () => {
    const said = history(loop)
    const retracted = said.map((chatEvent) =>
      chatEvent.role === 'assistant' ? { ...chatEvent, state: 'retracted' as const } : chatEvent,
    )
    const asked = { role: 'user', text: 'When may we leave?\n\n[file chart, image/png]' }
    expect(toTexts(said)).toEqual([
      asked,
      { role: 'assistant', text: 'And the wind.' },
      { role: 'assistant', text: 'At 06:12.' },
    ])
    expect(toTexts(retracted)).toEqual([asked])
  })
})
