import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { bedrockConverse } from './bedrock-converse.ts'

const start = { messageStart: { role: 'assistant' } }
const stop = (stopReason: string) => ({ messageStop: { stopReason } })
const delta = (contentBlockIndex: number, fields: object) => ({
  contentBlockDelta: { contentBlockIndex, delta: fields },
})
const blockStop = (contentBlockIndex: number) => ({ contentBlockStop: { contentBlockIndex } })
const tool = (contentBlockIndex: number, toolUse: object) => ({
  contentBlockStart: { contentBlockIndex, start: { toolUse } },
})

const read = (...values: readonly unknown[]) => through(createReader(bedrockConverse), recordsOf(values))

describe('blocks', () => {
  it('are opened by their first delta', () => {
    const events = read(start, delta(0, { reasoningContent: { text: 'hm' } }), delta(1, { text: 'yes' }))
    expect(ofType(events, 'block-start').map(({ kind, blockId }) => [kind, blockId])).toEqual([
      ['reasoning', 'message-1:0'],
      ['text', 'message-1:1'],
    ])
  })

  it('of one word each are one text, and a tool call ends it', () => {
    const words = ['The', ' wheel', ' turns'].flatMap((text, index) => [delta(index, { text }), blockStop(index)])
    const events = read(start, ...words, tool(3, { toolUseId: 'c', name: 'stop' }), blockStop(3), stop('tool_use'))
    expect(ofType(events, 'block-start')).toHaveLength(1)
    expect(events.findIndex(({ type }) => type === 'block-end')).toBeLessThan(
      events.findIndex(({ type }) => type === 'tool-start'),
    )
  })

  it('with more than one delta stay separate', () => {
    const events = read(start, delta(0, { text: 'a' }), delta(0, { text: 'b' }), blockStop(0), delta(1, { text: 'c' }))
    expect(ofType(events, 'block-start')).toHaveLength(2)
  })

  it('hold the whole redacted reasoning, even if it came in several parts', () => {
    const redactedDelta = (redactedContent: string) => delta(0, { reasoningContent: { redactedContent } })
    const events = read(start, redactedDelta('AA'), redactedDelta('BB'), redactedDelta('CC'), blockStop(0))
    expect(ofType(events, 'block-patch').map(({ encrypted }) => encrypted)).toEqual(['AA', 'AABBCC'])
  })

  it('keep the bytes of small images only', () => {
    const image = (index: number, bytes: string) => [delta(index, { image: { source: { bytes } } }), blockStop(index)]
    const events = read(start, ...image(0, 'AAAA'), ...image(1, 'A'.repeat(64 * 1024 + 4)))
    expect(ofType(events, 'file').map(({ bytes }) => bytes?.length)).toEqual([4, undefined])
  })
})

describe('a response', () => {
  it('that calls a tool of the caller awaits its result', () => {
    const events = read(start, tool(0, { toolUseId: 'c', name: 'weigh' }), blockStop(0), stop('tool_use'))
    expect(events.at(-1)).toEqual({ type: 'run-end', outcome: 'awaiting-input', reason: 'tool_use' })
  })

  it('that calls only tools of the provider does not await input', () => {
    const call = tool(0, { toolUseId: 'c', name: 'nova_grounding', type: 'server_tool_use' })
    expect(read(start, call, blockStop(0), stop('tool_use')).at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('is interrupted if it did not stop', () => {
    expect(read(start, delta(0, { text: 'half' })).at(-1)).toMatchObject({ outcome: 'interrupted' })
  })

  it('fails with the message and the name of an exception', () => {
    expect(read(start, { throttlingException: { message: 'Slow down' } }).at(-1)).toMatchObject({
      outcome: 'error',
      error: { message: 'Slow down', code: 'throttlingException' },
    })
  })

  it('ends after its usage, whichever of usage and stop comes first', () => {
    const usage = { metadata: { usage: { inputTokens: 3, outputTokens: 2, cacheReadInputTokens: 4 } } }
    for (const ending of [
      [usage, stop('end_turn')],
      [stop('end_turn'), usage],
    ]) {
      const types = read(start, ...ending).map(({ type }) => type)
      expect(types.slice(-4)).toEqual(['usage', 'step-end', 'message-end', 'run-end'])
      expect(ofType(read(start, ...ending), 'usage')).toMatchObject([{ inputTokens: 7, outputTokens: 2 }])
    }
  })

  it('ends an earlier response without an end', () => {
    const events = read(start, delta(0, { text: 'one' }), start, delta(0, { text: 'two' }), stop('end_turn'))
    expect(ofType(events, 'message-end').map(({ messageId }) => messageId)).toEqual(['message-1', 'message-2'])
  })

  it('does not begin with a record that is not understood', () => {
    const events = read(start, stop('end_turn'), delta(0, { hologram: 1 }))
    expect(ofType(events, 'message-start')).toHaveLength(1)
    expect(ofType(events, 'message-end')).toHaveLength(1)
  })
})

describe('recognition', () => {
  const certainty = (value: unknown, name?: string) => certaintyOf(bedrockConverse, value, name)

  it('recognises a record under its name, with its type, by its event and by its fields', () => {
    const bare = { contentBlockIndex: 0, delta: { text: 'a' } }
    expect(certainty({ contentBlockDelta: bare })).toBe(1)
    expect(certainty({ event: { contentBlockDelta: bare } })).toBe(1)
    expect(certainty({ type: 'contentBlockDelta', ...bare })).toBe(1)
    expect(certainty(bare, 'contentBlockDelta')).toBe(1)
    expect(certainty(bare)).toBe(1)
  })

  it('does not recognise records of other formats', () => {
    expect(certainty({ type: 'content_block_delta', index: 0, delta: { text: 'a' } })).toBe(0)
    expect(certainty({ metadata: { run_id: 'x' }, event: 'on_chat_model_stream' })).toBe(0)
    expect(certainty({ role: 'assistant', content: 'a' })).toBe(0)
    expect(certainty({ type: 'error', message: 'a' })).toBe(0)
  })
})
