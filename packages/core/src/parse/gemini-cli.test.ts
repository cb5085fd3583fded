import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsIn, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { geminiCli } from './gemini-cli.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/gemini-cli')

const read = (file: string) => through(createReader(geminiCli), recordsIn(readFileSync(join(FIXTURES, file))))

describe('lines', () => {
  it('joins deltas, and begins another turn for text after results', () => {
    const events = read('scenario.jsonl')
    expect(ofType(events, 'message-start').map(({ messageId }) => messageId)).toEqual([
      'user-1',
      'turn-1',
      'turn-2',
      'turn-3',
      'turn-4',
    ])
  })

  it('reads a message that is not a delta as a whole one', () => {
    const texts = ofType(read('whole-messages.jsonl'), 'block-start')
    expect(texts).toHaveLength(5)
  })

  it('reports why a tool failed, and that it was not allowed to run', () => {
    const outputs = ofType(read('tools.jsonl'), 'tool-output').map(({ callId, status, error }) => [
      callId,
      status,
      error,
    ])
    expect(outputs).toEqual([
      ['read-1', 'ok', undefined],
      ['shell-1', 'error', 'make: nothing to make here'],
      ['shell-2', 'denied', 'The policy does not allow it'],
      ['ask-1', 'error', 'The agent gave up early'],
      ['of-nobody', 'ok', undefined],
    ])
  })

  it('shows the agent that a task was delegated to, by the names of old and new releases', () => {
    expect(ofType(read('scenario.jsonl'), 'subagent-start')).toMatchObject([
      { name: 'pilot', task: 'When is slack water?', callId: 'invoke_agent-4' },
    ])
    expect(ofType(read('scenario.jsonl'), 'subagent-end')).toMatchObject([
      { status: 'done', summary: 'Slack water is at 06:40.' },
    ])
    expect(ofType(read('tools.jsonl'), 'subagent-start')).toMatchObject([
      { name: 'codebase_investigator', task: 'Find what broke' },
    ])
    expect(ofType(read('tools.jsonl'), 'subagent-end')).toMatchObject([{ status: 'failed' }])
  })

  it('has the time of each line', () => {
    expect(read('plain-text.jsonl').every(({ sentAt }) => sentAt !== undefined)).toBe(true)
  })

  it('counts the usage of the whole run', () => {
    expect(ofType(read('plain-text.jsonl'), 'usage')).toMatchObject([
      { scope: 'run', inputTokens: 50, outputTokens: 6, cacheReadTokens: 20, durationMs: 4200 },
    ])
  })

  it('emits warnings, and errors that do not end the run', () => {
    const events = read('errors.jsonl')
    expect(ofType(events, 'status')).toMatchObject([{ level: 'warn', message: 'Loop detected, stopping execution' }])
    expect(ofType(events, 'error')).toMatchObject([{ message: 'Maximum session turns exceeded' }])
    expect(events.at(-1)).toMatchObject({ outcome: 'success' })
  })

  it('ends with the outcome of the result, or as interrupted without one', () => {
    expect(read('failed.jsonl').at(-1)).toMatchObject({ outcome: 'error', error: { code: 'FatalAuthenticationError' } })
    expect(read('cancelled.jsonl').at(-1)).toMatchObject({ outcome: 'cancelled' })
    expect(read('cut-off.jsonl').at(-1)).toMatchObject({ outcome: 'interrupted' })
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(geminiCli, value)
  const timestamp = '2026-06-01T09:00:00Z'

  it('is more certain of a line with a time', () => {
    const line = { type: 'init', session_id: 's', model: 'm' }
    expect(certainty({ ...line, timestamp })).toBeGreaterThan(0.9)
    expect(certainty(line)).toBeLessThan(0.7)
  })

  it('does not recognise records of other frameworks, or values that are not records', () => {
    const others = [
      { type: 'system', subtype: 'init', session_id: 's', model: 'm' },
      { type: 'message', message: { role: 'assistant', content: [] } },
      { type: 'tool_use', id: 'x', name: 'y', input: {} },
      { type: 'result', subtype: 'success', result: 'x' },
      { type: 'error', error: { message: 'x' } },
      { type: 'constructor' },
    ]
    for (const value of [...others, null, 7, 'x', [], {}]) expect(certainty(value)).toBe(0)
  })
})
