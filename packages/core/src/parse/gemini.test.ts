import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { certaintyOf, ofType, recordsIn, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import type { RawRecord } from '../source/source.ts'
import { gemini } from './gemini.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/gemini')

const eventsOf = (records: readonly RawRecord[]) => through(createReader(gemini), records)
const read = (file: string) => eventsOf(recordsIn(readFileSync(join(FIXTURES, file))))
const parse = (...values: readonly unknown[]) => eventsOf(recordsOf(values))

const chunkOf = (...parts: readonly unknown[]) => ({ candidates: [{ content: { role: 'model', parts } }] })

describe('prose', () => {
  it('joins parts of one kind, and begins a new block after another kind', () => {
    const events = read('thinking.jsonl')
    expect(ofType(events, 'block-start').map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'reasoning', 'text'])
    expect(ofType(events, 'block-delta').map(({ text }) => text)).toEqual([
      '**The weir.** The water is low.',
      ' It must stay shut.',
      'Leave the weir',
      ' shut.',
      'Was that too short?',
      'The water is low.',
    ])
  })

  it('keeps every signature with the part that it signs, even if the part is empty', () => {
    expect(ofType(read('thinking.jsonl'), 'block-patch')).toEqual([
      {
        type: 'block-patch',
        blockId: 'r-think:reasoning-1',
        signature: 'dGhvdWdodC0x',
        meta: { google: { thought: true } },
      },
      { type: 'block-patch', blockId: 'r-think:text-2', meta: { google: { thoughtSignature: 'YW5zd2VyLTE=' } } },
      { type: 'block-patch', blockId: 'r-think:text-4', meta: { google: { thoughtSignature: 'bGFzdA==' } } },
    ])
    expect(ofType(read('signature-alone.jsonl'), 'block-patch')).toHaveLength(2)
  })

  it('is not ended by a reason to stop that comes with every chunk', () => {
    const blocks = ofType(read('stop-every-chunk.jsonl'), 'block-start').map(({ blockId }) => blockId)
    expect(blocks).toEqual(['response-1:text-1', 'response-2:text-1'])
  })
})

describe('calls', () => {
  it('S0-129: assigns ids to calls without one, and matches results to them by name and order', () => {
    const events = read('server-tools.jsonl')
    expect(ofType(events, 'tool-output').map(({ callId, status }) => [callId, status])).toEqual([
      ['search-1', 'ok'],
      ['r-serve:call-2', 'ok'],
      ['r-serve:call-3', 'error'],
      ['of-another-day', 'ok'],
      ['r-serve:tool-1', 'cancelled'],
    ])
  })

  it('distinguishes parallel calls of one name', () => {
    const events = read('parallel-calls.jsonl')
    expect(new Set(ofType(events, 'tool-start').map(({ callId }) => callId)).size).toBe(4)
    expect(ofType(events, 'tool-input').map(({ input }) => input)).toEqual([{ sack: 1 }, { sack: 2 }, { sack: 3 }, {}])
    expect(ofType(events, 'run-end')[0]?.outcome).toBe('awaiting-input')
  })

  it('writes arguments that come by path as JSON text, while they come in its order', () => {
    const events = read('partial-arguments.jsonl')
    const texts = Map.groupBy(ofType(events, 'tool-input-delta'), ({ callId }) => callId)
    for (const { callId, input } of ofType(events, 'tool-input')) {
      const text =
        texts
          .get(callId)
          ?.map((delta) => delta.text)
          .join('') ?? '{}'
      if (callId === 'r-part:call-3') expect(text).toBe('{"a":{"x":1},"b":2')
      else expect(JSON.parse(text)).toEqual(input)
    }
    expect(ofType(events, 'tool-input')[2]?.input).toEqual({ a: { x: 1, y: 'comes late' }, b: 2, c: 3 })
  })

  it('accepts no path to a prototype or to a huge list', () => {
    const partialArgs = (jsonPath: string) => ({
      functionCall: { partialArgs: [{ jsonPath, numberValue: 1 }], willContinue: true },
    })
    const events = parse(
      chunkOf({ functionCall: { name: 'walk', willContinue: true } }),
      chunkOf(partialArgs('$.__proto__.polluted'), partialArgs('$.list[9000000]'), partialArgs("$['it\\'s'][1]"), {
        functionCall: {},
      }),
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    const input = ofType(events, 'tool-input')[0]?.input
    expect(JSON.stringify(input)).toBe('{"__proto__":{"polluted":1},"it\'s":[null,1]}')
    expect(ofType(events, 'raw')).toHaveLength(1)
  })

  it('adds the output of code to its call, and reports a failure', () => {
    expect(ofType(read('code-execution.jsonl'), 'tool-output')).toMatchObject([
      { callId: 'r-code:code-2', status: 'ok', output: '144\n' },
      { callId: 'code-two', status: 'error', error: 'ZeroDivisionError: division by zero' },
      { callId: 'r-code:code-3', status: 'error', error: 'OUTCOME_DEADLINE_EXCEEDED' },
    ])
  })
})

describe('other fields of a response', () => {
  it('has offsets of citations in UTF-16, though Google counts bytes', () => {
    const [patch] = ofType(read('grounding.jsonl'), 'block-patch')
    const text = 'Die Mühle läuft seit 🌾 Jahren. Sie ist alt.'
    const cited = patch?.citations as readonly { startIndex: number; endIndex: number; text: string }[]
    for (const { startIndex, endIndex, text: quote } of cited.slice(0, 3)) {
      expect(text.slice(startIndex, endIndex)).toBe(quote)
    }
    expect(cited[3]).toMatchObject({ text: 'nowhere at all' })
  })

  it('emits each source once, however often it is repeated', () => {
    const found = ofType(read('grounding.jsonl'), 'source')
    expect(found.map(({ url, title }) => url ?? title)).toEqual([
      'https://mills.example/oldest',
      'Mill ledger',
      'https://maps.example/mill',
      'https://songs.example/mill',
      'https://mills.example/read',
    ])
  })

  it('reads usage as that of the response so far: thoughts are output, tokens of tools are input', () => {
    const events = read('code-execution.jsonl')
    expect(ofType(events, 'usage').at(-1)).toMatchObject({ inputTokens: 250, outputTokens: 59, reasoningTokens: 28 })
    const total = ofType(read('two-answers.jsonl'), 'usage').at(-1)
    expect(total).toMatchObject({ inputTokens: 0, outputTokens: 5 })
  })

  it('carries a small file, and the size of a large one', () => {
    const data = 'A'.repeat(80_000)
    const [small] = ofType(read('files.jsonl'), 'file')
    const [large] = ofType(parse(chunkOf({ inlineData: { mimeType: 'image/png', data } })), 'file')
    expect(small).toMatchObject({ mediaType: 'image/png', bytes: 'ZHJhZnQ=' })
    expect(large).toMatchObject({ mediaType: 'image/png', meta: { millrace: { size: 60_000 } } })
    expect(large?.bytes).toBeUndefined()
  })
})

describe('how a run ends', () => {
  const endOf = (file: string) => read(file).at(-1)

  it('fails with an error, a blocked prompt or a malformed call', () => {
    expect(endOf('error-mid-stream.jsonl')).toMatchObject({ outcome: 'error', error: { code: 'UNAVAILABLE' } })
    expect(endOf('error-array.jsonl')).toMatchObject({ outcome: 'error', error: { code: 'RESOURCE_EXHAUSTED' } })
    expect(endOf('prompt-blocked.jsonl')).toMatchObject({ outcome: 'error', error: { code: 'PROHIBITED_CONTENT' } })
    expect(endOf('malformed-call.jsonl')).toMatchObject({ outcome: 'error', reason: 'MALFORMED_FUNCTION_CALL' })
  })

  it('is a success after a retry, and if a rule or a limit cut the answer short', () => {
    for (const file of ['error-then-retry.jsonl', 'safety.jsonl', 'max-tokens.jsonl'])
      expect(endOf(file)).toMatchObject({ outcome: 'success' })
  })

  it('is interrupted without a reason to stop', () => {
    expect(endOf('cut-off.jsonl')).toEqual({ type: 'run-end', outcome: 'interrupted' })
  })
})

describe('recognition', () => {
  const certainty = (value: unknown) => certaintyOf(gemini, value)

  it('is certain of candidates, in either spelling and in an envelope', () => {
    expect(certainty(chunkOf({ text: 'x' }))).toBe(1)
    expect(certainty({ response: chunkOf({ text: 'x' }), traceId: 't' })).toBeGreaterThan(0.9)
    expect(certainty({ usage_metadata: {}, model_version: 'gemini-2.5-pro' })).toBeGreaterThan(0.8)
    expect(certainty([{ error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED' } }])).toBeGreaterThan(0.5)
  })

  it('does not recognise records of other frameworks, or values that are not records', () => {
    const others = [
      { type: 'response.completed', response: { id: 'r', usage: {} } },
      { choices: [{ delta: { content: 'x' } }] },
      { error: { message: 'no', type: 'invalid_request', code: null } },
      { type: 'ai', usage_metadata: { input_tokens: 1 } },
      { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'x' } },
    ]
    for (const value of [...others, null, 7, 'x', [], {}, [[]], { candidates: [] }]) expect(certainty(value)).toBe(0)
  })
})
