import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../test/parse.ts'
import { createReader } from '../read/read.ts'
import { aiSdk } from './ai-sdk.ts'
import { getParser } from './index.ts'

type Raw = { readonly type: string; readonly [field: string]: unknown }

const read = (...raws: readonly Raw[]) => through(createReader(aiSdk), recordsOf(raws))

const started: Raw = { type: 'start', messageId: 'm' }
const finished = (finishReason?: string, messageMetadata?: object): Raw => ({
  type: 'finish',
  finishReason,
  messageMetadata,
})
const called = (fields: object = {}): Raw[] => [
  { type: 'tool-input-start', toolCallId: 'c', toolName: 'look', ...fields },
  { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"at":"sea"}' },
]

describe('the registry', () => {
  it('has the format under the name of its recordings', () => {
    expect(getParser('ai-sdk-ui')).toBe(aiSdk)
  })
})

describe('blocks', () => {
  it('with one id in two steps, or of two kinds at once, are distinct', () => {
    const events = read(
      started,
      { type: 'reasoning-start', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      { type: 'text-delta', id: '0', delta: 'Yes.' },
      { type: 'text-end', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', text: 'Again.' },
    )
    const kinds = new Map(ofType(events, 'block-start').map(({ blockId, kind }) => [blockId, kind]))
    const texts = ofType(events, 'block-delta').map(({ blockId, text }) => [kinds.get(blockId), text])
    expect(texts).toEqual([
      ['reasoning', 'Hm.'],
      ['text', 'Yes.'],
      ['text', 'Again.'],
    ])
    expect(kinds.size).toBe(3)
  })
})

describe('calls', () => {
  it.each<[string, object, string]>([
    ['that the provider runs belong to the provider', { providerExecuted: true }, 'provider'],
    [
      'of a stream that Millrace wrote belong to the marked owner',
      { providerExecuted: true, providerMetadata: { millrace: { runBy: 'agent' } } },
      'agent',
    ],
    ['belong to the agent by default', {}, 'agent'],
  ])('%s', (_, fields, runBy) => {
    expect(ofType(read(started, ...called(fields)), 'tool-start')).toMatchObject([{ runBy }])
  })

  it('that need an approval before the end of their input have all of the streamed input', () => {
    const request = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }
    const events = read(started, ...called(), request, finished())
    expect(ofType(events, 'tool-input')).toMatchObject([{ input: { at: 'sea' } }])
    expect(ofType(events, 'run-end')).toMatchObject([{ outcome: 'awaiting-input' }])
  })

  it('whose input was refused have failed, unless an output still comes', () => {
    const refused: Raw = {
      type: 'tool-input-error',
      toolCallId: 'c',
      toolName: 'look',
      input: '{',
      errorText: 'Broken.',
    }
    const output: Raw = { type: 'tool-output-available', toolCallId: 'c', output: 1 }
    expect(ofType(read(started, refused, finished('stop')), 'tool-output')).toMatchObject([
      { status: 'error', error: 'Broken.' },
    ])
    expect(ofType(read(started, refused, output, finished('stop')), 'tool-output')).toMatchObject([{ status: 'ok' }])
  })

  it('emit only the added part of each preliminary output', () => {
    const preliminary = (output: unknown): Raw => ({
      type: 'tool-output-available',
      toolCallId: 'c',
      output,
      preliminary: true,
    })
    const events = read(started, ...called(), preliminary('one '), preliminary('one two '), preliminary('one two '))
    expect(ofType(events, 'tool-progress').map(({ text }) => text)).toEqual(['one ', 'two '])
  })
})

describe('the end', () => {
  it.each<[string, readonly Raw[], object]>([
    ['has the reason for which the model stopped', [finished('length')], { outcome: 'success', reason: 'length' }],
    ['awaits the outputs of calls', [...called(), finished('tool-calls')], { outcome: 'awaiting-input' }],
    ['of an interrupted run is interrupted', [finished('interrupted', { aborted: true })], { outcome: 'interrupted' }],
    [
      'of a cancelled run is cancelled',
      [finished('interrupted', { aborted: true, outcome: 'cancelled' })],
      { outcome: 'cancelled' },
    ],
    [
      'by an abort is a cancellation',
      [{ type: 'abort', reason: 'Enough.' }],
      { outcome: 'cancelled', reason: 'Enough.' },
    ],
    [
      'by an error has its message',
      [{ type: 'error', errorText: 'No.' }],
      { outcome: 'error', error: { message: 'No.' } },
    ],
    [
      'is a success if the run continued after an error',
      [{ type: 'error', errorText: 'No.' }, finished('stop')],
      { outcome: 'success' },
    ],
    ['that is missing leaves the run interrupted', [], { outcome: 'interrupted' }],
    ['of one response is not the end of the next', [finished('stop'), started], { outcome: 'interrupted' }],
  ])('%s', (_, raws, end) => {
    expect(ofType(read(started, ...raws), 'run-end')).toMatchObject([end])
  })
})

describe('usage', () => {
  it('of steps and of the whole run is not counted twice', () => {
    const events = read(
      started,
      {
        type: 'finish-step',
        usage: { inputTokens: { total: 5, cacheRead: 2 }, outputTokens: { total: 3, reasoning: 1 } },
      },
      { type: 'finish', finishReason: 'stop', totalUsage: { inputTokens: 5, outputTokens: 3 } },
    )
    expect(ofType(events, 'usage')).toMatchObject([
      { scope: 'step', inputTokens: 5, cacheReadTokens: 2, outputTokens: 3, reasoningTokens: 1 },
      { scope: 'run', mode: 'snapshot', inputTokens: 5, outputTokens: 3 },
    ])
  })
})

describe('data parts', () => {
  it('of applications keep their names, even if Millrace uses the same names', () => {
    const events = read(started, { type: 'data-todos', data: ['Sail'] }, { type: 'data-usage', data: { tokens: 1 } })
    expect(ofType(events, 'data').map(({ name }) => name)).toEqual(['todos', 'usage'])
  })
})
