import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../test/wire/ai-sdk.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { createStamp } from '../read/stamp.ts'
import { aiSdk } from './ai-sdk.ts'

const chunks = (...events: readonly StreamEvent[]) => chunksOfEach(events).flat()
const types = (...events: readonly StreamEvent[]) => chunks(...events).map((chunk) => chunk.type)
const ended = (end: Partial<EventOf<'run-end'>>, ...events: readonly StreamEvent[]) =>
  chunks(...events, { type: 'run-end', outcome: 'success', ...end }).at(-1)
const textStart: StreamEvent = { type: 'block-start', blockId: 't', kind: 'text' }
const stepStart: StreamEvent = { type: 'step-start', kind: 'model' }
const usage = (fields: Partial<EventOf<'usage'>>): StreamEvent => ({
  type: 'usage',
  scope: 'step',
  mode: 'add',
  ...fields,
})

describe('a run', () => {
  it('S0-26: starts with the run as the message, and its metadata', () => {
    const { push } = aiSdk.create({ runId: 'r-1', threadId: 'thread' })
    const start = createStamp()({ type: 'run-start', model: 'm', agent: 'a' }, 0)
    expect(push(start)).toEqual([{ type: 'start', messageId: 'r-1', messageMetadata: { model: 'm', agent: 'a' } }])
  })

  it('S0-33: ends with finish and the terminator, never with a chunk `done`', () => {
    expect(types({ type: 'run-end', outcome: 'success' })).toEqual(['finish'])
    expect(aiSdk.terminator).toBe('[DONE]')
  })

  it('S0-34: ends with the error after finish, because the client reads nothing after an error', () => {
    const error = { message: 'No credit', code: '402' }
    expect(chunks({ type: 'run-end', outcome: 'error', error })).toEqual([
      { type: 'finish', finishReason: 'error', messageMetadata: { error } },
      { type: 'error', errorText: 'No credit' },
    ])
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['STOP', 'stop'],
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_calls', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
  ])('maps the stop reason %s to %s', (reason, finishReason) => {
    expect(ended({ reason })).toEqual({ type: 'finish', finishReason })
    expect(ended({}, stepStart, { type: 'step-end', reason })).toEqual({ type: 'finish', finishReason })
  })

  it('sends its result, and the metadata of the provider with its error', () => {
    expect(ended({ result: { high: '06:12' } })).toMatchObject({ messageMetadata: { result: { high: '06:12' } } })
    const meta = { provider: { request: 'r' } }
    expect(ended({ outcome: 'cancelled', error: { message: 'No' }, meta })).toMatchObject({
      messageMetadata: { aborted: true, outcome: 'cancelled', error: { message: 'No' }, meta },
    })
  })

  it('does not use the stop reason of an earlier step', () => {
    const steps: StreamEvent[] = [stepStart, { type: 'step-end', reason: 'tool_use' }, stepStart, { type: 'step-end' }]
    expect(ended({}, ...steps)).toEqual({ type: 'finish', finishReason: 'stop' })
  })

  it('distinguishes an interrupted run from a cancelled one', () => {
    expect(ended({ outcome: 'interrupted' })).toMatchObject({
      finishReason: 'other',
      messageMetadata: { aborted: true, outcome: 'interrupted' },
    })
    expect(ended({ outcome: 'cancelled' })).toMatchObject({ messageMetadata: { aborted: true, outcome: 'cancelled' } })
  })

  it('refuses an unknown profile', () => {
    expect(() => aiSdk.create({ runId: 'run', threadId: 'thread', profile: 'toString' })).toThrow('profile toString')
  })
})

describe('a step', () => {
  it('is drawn for the main agent only, and ends with the run', () => {
    const sub = { agentId: 'a' }
    const all = types(
      stepStart,
      { ...stepStart, ...sub },
      { type: 'step-end', ...sub },
      { type: 'run-end', outcome: 'success' },
    )
    expect(all).toEqual(['start-step', 'finish-step', 'finish'])
  })

  it('waits while a block or an input is open', () => {
    const each = chunksOfEach([
      stepStart,
      textStart,
      { type: 'step-end' },
      stepStart,
      { type: 'block-end', blockId: 't' },
    ])
    expect(each.map((list) => list.map((chunk) => chunk.type))).toEqual([
      ['start-step'],
      ['text-start'],
      [],
      [],
      ['text-end', 'finish-step', 'start-step'],
    ])
  })

  it('is left out when it begins and ends while something is open', () => {
    const events: StreamEvent[] = [textStart, stepStart, { type: 'step-end' }, { type: 'block-end', blockId: 't' }]
    expect(types(...events)).toEqual(['text-start', 'text-end'])
  })
})

describe('a block', () => {
  it('S0-27: is a text part under one id', () => {
    expect(
      chunks(textStart, { type: 'block-delta', blockId: 't', text: 'Hi' }, { type: 'block-end', blockId: 't' }),
    ).toEqual([
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hi' },
      { type: 'text-end', id: 't' },
    ])
  })

  it('S0-28: of reasoning has its complete metadata at its end', () => {
    const meta = { openai: { itemId: 'rs_1' } }
    expect(
      chunks(
        { type: 'block-start', blockId: 'r', kind: 'reasoning', variant: 'summary', meta },
        { type: 'block-delta', blockId: 'r', text: 'Hm', meta: { openai: { part: 2 } } },
        { type: 'block-patch', blockId: 'r', encrypted: 'xyz', meta: { openai: { more: 1 } } },
        { type: 'block-end', blockId: 'r', interrupted: true },
      ),
    ).toEqual([
      { type: 'reasoning-start', id: 'r', providerMetadata: { ...meta, millrace: { variant: 'summary' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      {
        type: 'reasoning-end',
        id: 'r',
        providerMetadata: {
          openai: { itemId: 'rs_1', part: 2, more: 1 },
          millrace: { variant: 'summary', encrypted: 'xyz', interrupted: true },
        },
      },
    ])
  })

  it('has citations as a field if they have the shape of the protocol, otherwise in its metadata', () => {
    const cited = { source: { type: 'source', sourceType: 'url', id: 's', url: 'https://x' }, startIndex: 0 }
    const end = (citations: EventOf<'block-patch'>['citations'] = []) =>
      chunks(textStart, { type: 'block-patch', blockId: 't', citations }, { type: 'block-end', blockId: 't' }).at(-1)
    expect(end([cited])).toEqual({ type: 'text-end', id: 't', citations: [cited] })
    for (const other of [{ url: 'x' }, { ...cited, startIndex: -1 }, { source: { ...cited.source, url: 1 } }]) {
      expect(end([other])).toEqual({
        type: 'text-end',
        id: 't',
        providerMetadata: { millrace: { citations: [other] } },
      })
    }
  })

  it.each(['5', '6'])('has its citations in its metadata in profile %s, whose client drops the field', (profile) => {
    const citations = [{ source: { type: 'source', sourceType: 'url', id: 's', url: 'https://x' } }]
    const end = { type: 'block-end', blockId: 't', meta: { anthropic: { index: 2 } } } as const
    const of = (...events: readonly StreamEvent[]) => chunksOfEach(events, profile).flat().at(-1)
    expect(of(textStart, { type: 'block-patch', blockId: 't', citations }, end)).toEqual({
      type: 'text-end',
      id: 't',
      providerMetadata: { anthropic: { index: 2 }, millrace: { citations } },
    })
    expect(of(textStart, { type: 'block-end', blockId: 't' })).toEqual({ type: 'text-end', id: 't' })
  })

  it('cannot be rewritten, and changes after its end are a data part', () => {
    expect(types(textStart, { type: 'block-patch', blockId: 't', text: 'New' })).toEqual(['text-start'])
    expect(chunks({ type: 'block-patch', blockId: 'gone', signature: 's' })).toEqual([
      { type: 'data-block-patch', data: { blockId: 'gone', signature: 's' } },
    ])
  })

  it('of another role is not drawn, unless a subagent receives it', () => {
    const message = (role: 'user' | 'assistant', messageId: string, agentId?: string): StreamEvent[] => [
      { type: 'message-start', messageId, role, ...(agentId !== undefined && { agentId }) },
      { type: 'block-start', blockId: messageId, kind: 'text', ...(agentId !== undefined && { agentId }) },
      { type: 'block-delta', blockId: messageId, text: role },
      { type: 'block-end', blockId: messageId },
      { type: 'message-end', messageId },
    ]
    const drawn = chunks(...message('user', 'm1'), ...message('assistant', 'm2'), ...message('user', 'm3', 'a'))
    expect([...new Set(drawn.map(({ id }) => id))]).toEqual(['m2', 'm3'])
  })
})

describe('usage', () => {
  it('S0-32: is one data part that always holds the total, and is sent again at the end', () => {
    const last = chunks(
      stepStart,
      usage({ mode: 'snapshot', inputTokens: 5, outputTokens: 1 }),
      usage({ mode: 'snapshot', outputTokens: 4 }),
      { type: 'step-end' },
      usage({ inputTokens: 10, outputTokens: 2 }),
      usage({ inputTokens: 1, agentId: 'a' }),
      { type: 'run-end', outcome: 'success' },
    )
    const whole = { inputTokens: 16, outputTokens: 6 }
    expect(last.at(-2)).toEqual({ type: 'data-usage', id: 'usage', data: whole })
    expect(last.at(-1)).toEqual({ type: 'finish', finishReason: 'stop', messageMetadata: { usage: whole } })
  })

  it('of two messages adds up, even without steps', () => {
    const message = (messageId: string): StreamEvent => ({ type: 'message-start', messageId, role: 'assistant' })
    const snapshot = usage({ mode: 'snapshot', inputTokens: 2 })
    expect(chunks(message('a'), snapshot, message('b'), snapshot).at(-1)?.data).toEqual({ inputTokens: 4 })
  })

  it('is the count of the run itself, if the run has one', () => {
    const run = usage({ scope: 'run', mode: 'snapshot', inputTokens: 7, costUsd: 0.5 })
    const [, last] = chunks(usage({ inputTokens: 9, outputTokens: 2 }), run)
    expect(last?.data).toEqual({ inputTokens: 7, outputTokens: 2, costUsd: 0.5 })
  })

  it('S0-45: contains why the model stopped', () => {
    const all = chunks(stepStart, usage({ outputTokens: 2 }), { type: 'step-end', reason: 'end_turn' })
    expect(all.at(-2)).toEqual({ type: 'data-usage', id: 'usage', data: { outputTokens: 2, stopReason: 'end_turn' } })
  })

  it('of a step that goes on does not contain why an earlier one stopped', () => {
    const step = [
      { type: 'step-start', kind: 'model' },
      { type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 1 },
    ] as const
    const chunks = chunksOfEach([...step, { type: 'step-end', reason: 'tool_use' }, ...step]).flat()
    const shown = chunks.flatMap(({ type, data }) => (type === 'data-usage' ? [data] : []))
    expect(shown).toEqual([{ inputTokens: 1 }, { inputTokens: 1, stopReason: 'tool_use' }, { inputTokens: 2 }])
  })
})
