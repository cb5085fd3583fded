import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsIn, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { geminiInteractions } from './gemini-interactions.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/gemini-interactions')

const read = (file: string) => through(createReader(geminiInteractions), recordsIn(readFileSync(join(FIXTURES, file))))

describe('steps', () => {
  it('emits the message of the user before that of the model', () => {
    const roles = ofType(read('scenario.jsonl'), 'message-start').map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'assistant', 'assistant'])
  })

  it('shows the summary of a thought and keeps its signature, even without a summary', () => {
    const events = read('thoughts.jsonl')
    expect(ofType(events, 'block-patch').map(({ signature }) => signature)).toEqual([
      'dGhvdWdodA==',
      'b25seSBzaWduZWQ=',
      'd2hvbGU=',
      undefined,
    ])
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toContain('A whole thought at once.')
  })

  it('streams arguments to the call of their step, however the steps overlap', () => {
    const inputs = ofType(read('parallel-calls.jsonl'), 'tool-input').map(({ callId, input }) => [callId, input])
    expect(inputs).toEqual([
      ['fc-1', { x: 2, y: 3 }],
      ['fc-2', { x: 10, y: 20 }],
      ['fc-3', {}],
      ['fc-4', { x: 1, y: 1 }],
    ])
  })

  it('adds each result to its call, by id or by kind, and reports a failure', () => {
    const outputs = ofType(read('tools.jsonl'), 'tool-output')
    const failed = outputs.filter(({ status }) => status === 'error').map(({ callId, error }) => [callId, error])
    expect(failed).toEqual([
      ['ce-2', 'ZeroDivisionError: division by zero'],
      ['mcp-2', 'Sand is no grain'],
    ])
    expect(outputs.find(({ callId }) => callId === 'ce-1')?.output).toBe('144\n')
    expect(outputs.find(({ callId }) => callId === 'fs-1')?.status).toBe('ok')
    expect(ofType(read('tools.jsonl'), 'tool-start').find(({ callId }) => callId === 'mcp-1')?.server).toBe('granary')
  })

  it('has offsets of citations in UTF-16, though Google counts bytes', () => {
    const [patch] = ofType(read('annotations.jsonl'), 'block-patch')
    expect(patch?.citations?.[0]).toMatchObject({ startIndex: 4, endIndex: 9, text: 'Mühle' })
  })

  it('reads the names of the first releases', () => {
    const events = read('old-search.jsonl')
    expect(ofType(events, 'tool-start').map(({ callId, name }) => [callId, name])).toEqual([
      ['gs-old', 'google_search'],
      ['i-os:3', 'code_execution'],
    ])
    expect(ofType(events, 'tool-output')[0]).toMatchObject({ callId: 'gs-old', status: 'ok' })
    expect(ofType(events, 'source').map(({ url }) => url)).toEqual([
      'https://ponds.example/a',
      'https://ponds.example/a',
    ])
  })

  it('reads from the end only what was not streamed', () => {
    const texts = ofType(read('late-steps.jsonl'), 'block-delta').map(({ text }) => text)
    expect(texts).toEqual(['First part.', 'Second part.', 'Only the end tells this.'])
  })
})

describe('how a run ends', () => {
  const endings = {
    'plain-text.sse': { outcome: 'success' },
    'incomplete.jsonl': { outcome: 'success', reason: 'incomplete' },
    'parallel-calls.jsonl': { outcome: 'awaiting-input' },
    'to-be-continued.jsonl': { outcome: 'interrupted', reason: 'requires_continuation' },
    'cancelled.jsonl': { outcome: 'cancelled' },
    'failed.jsonl': { outcome: 'error', error: { message: 'No answer could be made', code: '13' } },
    'budget-exceeded.jsonl': { outcome: 'error', error: { code: 'budget_exceeded' } },
    'error.jsonl': { outcome: 'error', error: { code: 'internal' } },
    'cut-off.jsonl': { outcome: 'interrupted' },
  }
  for (const [file, ending] of Object.entries(endings)) {
    it(`is ${ending.outcome} in ${file}`, () => expect(read(file).at(-1)).toMatchObject(ending))
  }
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(geminiInteractions, value)

  it('is certain of events of an interaction', () => {
    expect(certainty({ event_type: 'interaction.created', interaction: { id: 'i' } })).toBe(1)
    expect(certainty({ event_type: 'step.stop', index: 0 })).toBeGreaterThan(0.9)
    expect(certainty({ object: 'interaction', status: 'completed' })).toBeGreaterThan(0.9)
  })

  it('does not recognise records of other frameworks, or values that are not records', () => {
    const others = [
      { candidates: [{ content: { parts: [] } }] },
      { type: 'content.start', index: 0 },
      { event_type: 'text-generation', text: 'x' },
      { event_type: 'constructor' },
    ]
    for (const value of [...others, null, 7, 'x', [], {}]) expect(certainty(value)).toBe(0)
  })
})
