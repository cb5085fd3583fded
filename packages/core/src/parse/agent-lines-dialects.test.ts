import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { certaintyOf, parserOf, recordsIn, through } from '../../test/parse.ts'
import { jsonLines } from '../source/json-lines.ts'
import { type RawRecord, recordOf } from '../source/source.ts'
import { agentLines } from './agent-lines.ts'
import { detectFormat } from './detect.ts'
import { getParser, parsers } from './index.ts'
import type { Parser } from './parser.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function recording(name: string): readonly RawRecord[] {
  return recordsIn(readFileSync(new URL(`../../../../fixtures/agent-lines/${name}.jsonl`, import.meta.url)))
}

const read = (records: readonly RawRecord[], parser: Parser = agentLines) => through(parserOf(parser), records)

describe('the dialects', () => {
  it('S0-128: reads the OpenAI dialect, whose arguments are JSON in a string', () => {
    expect(read(recording('openai'))).toEqual([
      { type: 'run-start', model: 'gpt-example' },
      { type: 'block-start', blockId: 'b1', kind: 'text' },
      { type: 'block-delta', blockId: 'b1', text: 'Let me look ' },
      { type: 'block-delta', blockId: 'b1', text: 'at the kiln.' },
      { type: 'block-end', blockId: 'b1' },
      { type: 'tool-start', callId: 'call_kiln', name: 'kiln_state', runBy: 'agent' },
      { type: 'tool-input', callId: 'call_kiln', input: { kiln: 2, unit: 'C' } },
      { type: 'tool-start', callId: 'call_door', name: 'door_state', runBy: 'agent' },
      { type: 'tool-input', callId: 'call_door', input: {} },
      { type: 'tool-output', callId: 'call_door', status: 'ok', output: 'closed' },
      { type: 'tool-output', callId: 'call_kiln', status: 'ok', output: { temperature: 1240 } },
      { type: 'block-start', blockId: 'b2', kind: 'text' },
      { type: 'block-delta', blockId: 'b2', text: 'It is at 1240 °C, door closed.' },
      {
        type: 'usage',
        scope: 'run',
        mode: 'snapshot',
        inputTokens: 55,
        outputTokens: 21,
        reasoningTokens: 5,
        cacheReadTokens: 32,
      },
      { type: 'block-end', blockId: 'b2' },
      { type: 'run-end', outcome: 'success' },
    ])
  })

  it('S0-128: keeps arguments that are not JSON, with the reason', () => {
    const value = { type: 'tool_call', data: { id: 'a', name: 'look', arguments: '{"at":' } }
    expect(read([recordOf(JSON.stringify(value))])[1]).toEqual({
      type: 'tool-input',
      callId: 'a',
      text: '{"at":',
      error: 'The input is not JSON.',
    })
  })

  it('S0-129: makes ids for the calls of the Gemini dialect and matches results by name, the oldest first', () => {
    const events = read(recording('gemini')).filter(({ type }) => type.startsWith('tool-'))
    expect(events).toMatchObject([
      { type: 'tool-start', callId: 'call-1', name: 'read_gauge' },
      { type: 'tool-input', callId: 'call-1', input: { river: 'Ouse' } },
      { type: 'tool-start', callId: 'call-2', name: 'read_gauge' },
      { type: 'tool-input', callId: 'call-2', input: { river: 'Tees' } },
      { type: 'tool-start', callId: 'call-3', name: 'tide_now' },
      { type: 'tool-input', callId: 'call-3', input: {} },
      { type: 'tool-output', callId: 'call-3', output: { tide: 'ebb' } },
      { type: 'tool-output', callId: 'call-1', output: { metres: 2.1 } },
      { type: 'tool-output', callId: 'call-2', output: { metres: 0.8 } },
    ])
  })

  it('S0-129: reads the usage that the Gemini dialect ends with', () => {
    expect(read(recording('gemini')).find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      scope: 'run',
      mode: 'snapshot',
      inputTokens: 40,
      outputTokens: 19,
      reasoningTokens: 7,
      cacheReadTokens: 8,
    })
  })

  it('S0-4: reads a recording the same under the names langchain and deepagents', () => {
    const records = recording('deepagents')
    const events = read(records, getParser('langchain'))
    expect(events).toEqual(read(records, getParser('deepagents')))
    expect(events).toEqual(read(records))
  })

  it('S0-4: reads both forms of Claude’s stream under the name claude, by the first record', () => {
    const [mixed, pure] = [recording('claude-api-mixed'), recording('claude-api')]
    expect(read(mixed, getParser('claude'))).toEqual(read(mixed))
    expect(read(pure, getParser('claude'))).toEqual(read(pure, getParser('anthropic-messages')))
  })

  it('S0-3: reads lines that are split across writes and end in CRLF or LF', () => {
    const source = jsonLines()
    const records = [
      ...source.feed(bytes('{"type":"status","data":{"message":"One"}}\r\n{"type":"sta')),
      ...source.feed(bytes('tus","data":{"message":"Two"}}\n{"type":"status","data":{"message":"Three"}}\r')),
      ...source.feed(bytes('\n')),
      ...source.end(),
    ]
    expect(read(records)).toMatchObject([{ message: 'One' }, { message: 'Two' }, { message: 'Three' }])
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(agentLines, value)

  it('is more certain of distinctive types than of common ones, and of those than of unknown ones', () => {
    const [distinctive, common, strange] = ['todo_create', 'text', 'strange'].map((type) =>
      certainty({ type, data: {} }),
    )
    expect(distinctive).toBeGreaterThan(common ?? 1)
    expect(common).toBeGreaterThan(strange ?? 1)
    expect(strange).toBeGreaterThan(0)
  })

  it('leaves events of the Claude API to their own parser', () => {
    expect(certainty({ type: 'message_stop' })).toBe(0.5)
    expect(certainty({ type: 'error', error: { message: 'x' } })).toBe(0.5)
  })

  it('recognises no other value', () => {
    const others = [null, 7, 'a', [], {}, { type: 'text' }, { type: 'text', data: [] }, { type: 1, data: {} }]
    expect(others.map(certainty)).toEqual(others.map(() => 0))
  })

  it.each([
    'claude',
    'deepagents',
    'openai',
    'gemini',
    'noise',
    'todo-write',
    'error',
    'cut',
    'tool-result-without-id',
  ])('names the recording %s', (name) => {
    expect(detectFormat(parsers, recording(name)).format).toBe('agent-lines')
  })
})

describe('the time of a line', () => {
  const at = (value: object) => read([recordOf(JSON.stringify(value))])[0]?.sentAt

  it('is read beside the type and inside the data, in milliseconds or as an ISO time, in UTC without a zone', () => {
    const data = { message: 'a' }
    expect(at({ type: 'status', data, ts: 1200 })).toBe(1200)
    expect(at({ type: 'status', data: { ...data, timestamp: 1300 } })).toBe(1300)
    expect(at({ type: 'status', data, timestamp: '2031-05-06T07:08:09.250+01:00' })).toBe(
      Date.UTC(2031, 4, 6, 6, 8, 9, 250),
    )
    expect(at({ type: 'status', data, timestamp: '2031-05-06T07:08:09' })).toBe(Date.UTC(2031, 4, 6, 7, 8, 9))
    expect(at({ type: 'status', data, timestamp: 'noon' })).toBeUndefined()
    expect(at({ type: 'status', data })).toBeUndefined()
  })

  it('is not part of the content of the line', () => {
    const input = { type: 'file_op', data: { id: 'a', operation: 'read', path: '/a', timestamp: 5 } }
    expect(read([recordOf(JSON.stringify(input))])[1]).toEqual({
      type: 'tool-input',
      callId: 'a',
      input: { path: '/a' },
      sentAt: 5,
    })
  })
})
