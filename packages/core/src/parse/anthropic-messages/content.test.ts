import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsIn, through } from '../../../test/parse.ts'
import { createReader } from '../../read/read.ts'
import { recordOf } from '../../source/source.ts'
import { anthropicMessages } from '../anthropic-messages.ts'

const FIXTURES = join(import.meta.dirname, '../../../../../fixtures/anthropic-messages')

const read = (file: string) => through(createReader(anthropicMessages), recordsIn(readFileSync(join(FIXTURES, file))))

describe('tool calls', () => {
  const events = read('thinking-tool.jsonl')

  it('S0-16: S0-42: starts a call with its id and name', () => {
    expect(ofType(events, 'tool-start')).toEqual([
      { type: 'tool-start', callId: 'toolu_gauge', name: 'read_gauge', runBy: 'client' },
    ])
  })

  it('S0-17: gives one event per fragment of the input; together they are the input', () => {
    const fragments = ofType(events, 'tool-input-delta').map((event) => event.text)
    expect(fragments).toHaveLength(2)
    expect(JSON.parse(fragments.join(''))).toEqual({ gauge: 'sluice', unit: 'cm' })
  })

  it('S0-18: S0-43: S0-44: joins two fragments into one input when the block stops', () => {
    expect(ofType(events, 'tool-input')).toEqual([
      { type: 'tool-input', callId: 'toolu_gauge', input: { gauge: 'sluice', unit: 'cm' } },
    ])
  })

  it('reads a missing input as the empty object, and keeps the text of an input that is not JSON', () => {
    expect(ofType(read('tool-inputs.jsonl'), 'tool-input')).toMatchObject([
      { callId: 'toolu_none', input: {} },
      { callId: 'toolu_bad', text: '{"sack": 4, }', error: expect.any(String) },
    ])
  })

  it('prefers a streamed input to the input at the start of the block', () => {
    const reader = createReader(anthropicMessages)
    const block = { type: 'tool_use', id: 'call', name: 'weigh', input: { sack: 1 } }
    const values = [
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"sack":2}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_stop', index: 0 },
    ]
    const events = values.flatMap((value) => reader.push(recordOf(JSON.stringify(value))))
    expect(ofType(events, 'tool-input')).toEqual([{ type: 'tool-input', callId: 'call', input: { sack: 2 } }])
    expect(ofType(events, 'raw').map((event) => event.value)).toEqual([{ type: 'content_block_stop', index: 0 }])
  })

  it('names the call on whose behalf a tool was called', () => {
    const inner = ofType(read('code-execution.jsonl'), 'tool-start').find((event) => event.callId === 'toolu_inner')
    expect(inner).toMatchObject({ parentCallId: 'srvtoolu_bash', runBy: 'client' })
  })
})

describe('results of the provider’s tools', () => {
  it('S0-19: gives a result to its call, and its error if it failed', () => {
    expect(ofType(read('mcp.jsonl'), 'tool-output')).toMatchObject([
      { callId: 'mcptoolu_stock', status: 'ok', output: [{ type: 'text', text: '12 sacks' }] },
      { callId: 'mcptoolu_fail', status: 'error', error: 'Sand is no grain' },
    ])
    expect(ofType(read('mcp.jsonl'), 'tool-start')[0]).toMatchObject({ runBy: 'provider', server: 'granary' })
    expect(ofType(read('web-search.jsonl'), 'tool-output').at(-1)).toMatchObject({
      status: 'error',
      error: 'max_uses_exceeded',
    })
  })

  it('keeps the fields that the provider requires back with a call', () => {
    const block = { type: 'tool_use', id: 'call', name: 'weigh', input: {}, toolset_name: 'barn' }
    const record = recordOf(JSON.stringify({ type: 'content_block_start', index: 0, content_block: block }))
    const events = createReader(anthropicMessages).push(record)
    expect(ofType(events, 'tool-start')[0]?.meta).toEqual({ anthropic: { toolset_name: 'barn' } })
    expect(ofType(read('mcp.jsonl'), 'tool-start')[0]?.meta).toEqual({ anthropic: { type: 'mcp_tool_use' } })
    expect(ofType(read('mcp.jsonl'), 'tool-output')[0]?.meta).toEqual({ anthropic: { result_type: 'mcp_tool_result' } })
  })

  it('gives a source for each page that was found, fetched or cited', () => {
    const found = ofType(read('web-search.jsonl'), 'source')
    expect(found.map((source) => source.url ?? source.title)).toEqual([
      'https://mills.example/oldest',
      'https://rivers.example/wheels',
      'https://mills.example/oldest',
      'Mill ledger',
      'https://rivers.example/wheels',
    ])
    expect(new Set(found.map((source) => source.sourceId)).size).toBe(5)
    expect(found[2]?.snippet).toBe('It has turned since the ninth century.')
  })

  it('gives all citations of a block each time that one is added', () => {
    const patches = ofType(read('web-search.jsonl'), 'block-patch')
    expect(patches.map((patch) => patch.citations?.length)).toEqual([1, 2])
  })

  it('keeps what executed code printed and gives its files', () => {
    const events = read('code-execution.jsonl')
    expect(ofType(events, 'tool-output')[0]).toMatchObject({
      output: { stdout: '3 points\n', stderr: 'warning: no title\n' },
    })
    expect(ofType(events, 'file')).toMatchObject([
      { fileId: 'file_given' },
      { fileId: 'file_plot', callId: 'srvtoolu_bash' },
    ])
  })
})

describe('the details of a message', () => {
  it('S0-20: S0-45: counts the whole message, the cache included, and why it stopped', () => {
    const events = read('thinking-tool.jsonl')
    expect(ofType(events, 'usage').at(-1)).toEqual({
      type: 'usage',
      scope: 'step',
      mode: 'snapshot',
      inputTokens: 920,
      outputTokens: 64,
      reasoningTokens: 22,
      cacheReadTokens: 800,
      cacheWriteTokens: 0,
    })
    expect(ofType(events, 'step-end')).toEqual([{ type: 'step-end', reason: 'tool_use' }])
  })

  it('S0-20: keeps the counts that a later snapshot leaves out', () => {
    expect(ofType(read('plain-text.sse'), 'usage').at(-1)).toMatchObject({ inputTokens: 35, outputTokens: 9 })
  })

  it('reports that the conversation was compacted and that another model answers', () => {
    const events = read('compaction.jsonl')
    expect(ofType(events, 'status').map((event) => event.message)).toEqual([
      'Conversation compacted',
      'claude-sonnet-4-5 answers in place of claude-opus-4-7',
    ])
    expect(ofType(events, 'data')[0]?.data).toEqual({
      content: 'We were repairing the sluice.',
      encrypted_content: 'Y29tcGFjdA==',
    })
    expect(ofType(events, 'metadata')[0]?.metadata).toEqual({ model: 'claude-sonnet-4-5' })
  })

  it('reports that compaction failed if it has no content', () => {
    const reader = createReader(anthropicMessages)
    const values = [
      { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: null } },
      { type: 'content_block_stop', index: 0 },
    ]
    const events = values.flatMap((value) => reader.push(recordOf(JSON.stringify(value))))
    expect(ofType(events, 'status')).toMatchObject([{ level: 'warn' }])
  })

  it('keeps the metrics of a gateway', () => {
    expect(ofType(read('agent-loop.jsonl'), 'metadata')).toMatchObject([
      { metadata: { 'amazon-bedrock-invocationMetrics': { invocationLatency: 740 } } },
    ])
  })

  it('keeps blocks and deltas of unknown types unchanged', () => {
    const kept = ofType(read('compaction.jsonl'), 'raw').map((event) => event.value)
    expect(kept).toEqual([
      { type: 'content_block_start', index: 3, content_block: { type: 'hologram', beam: 1 } },
      { type: 'content_block_delta', index: 3, delta: { type: 'hologram_delta', beam: 2 } },
    ])
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(anthropicMessages, value)

  it('is certain of a message_start and uncertain of a ping or an error', () => {
    expect(certainty({ type: 'message_start', message: { type: 'message' } })).toBe(1)
    expect(certainty({ type: 'content_block_delta', index: 0, delta: {} })).toBeGreaterThan(0.9)
    expect(certainty({ type: 'ping' })).toBeLessThan(0.5)
    expect(certainty({ type: 'error', error: { type: 'api_error', message: 'x' } })).toBeLessThan(0.5)
  })

  it('does not recognise records of other formats, or values that are not records', () => {
    const others = [
      { type: 'text', data: { text: 'x' } },
      { type: 'error', data: { message: 'x' }, error: { message: 'x' } },
      { type: 'stream_event', event: { type: 'message_start', message: {} } },
      { type: 'assistant', message: { type: 'message', content: [] } },
      { type: 'message', role: 'assistant', content: 'x', delta: true },
      { type: 'constructor' },
    ]
    for (const value of [...others, null, 7, 'ping', [], {}, { type: null }]) expect(certainty(value)).toBe(0)
  })
})
