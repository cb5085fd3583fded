import { holds, holdsAsync } from '@millrace/testkit/property'
import type { UIMessage } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../packages/core/src/events.ts'
import { balance } from '../packages/core/src/normalize/balance.ts'
import { aiSdk } from '../packages/core/src/wire/ai-sdk.ts'
import { aiSdkBody, aiSdkChunks, readAiSdk } from '../proofs/wires/readers/ai-sdk.ts'
import { aiSdkFaults } from './ai-sdk-grammar.ts'

const id = (prefix: string) => fc.constantFrom(`${prefix}1`, `${prefix}2`, `${prefix}3`)
const word = fc.string({ maxLength: 8 })
const agent = fc.option(fc.constantFrom('a1', 'a2'), { nil: undefined, freq: 4 })
const meta = fc.option(fc.constant({ provider: { key: [1, null] } }), { nil: undefined })

function of(type: StreamEvent['type'], fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<StreamEvent> {
  return fc.record({ agentId: agent, meta, ...fields }).map((values) => {
    const kept = Object.entries(values).filter(([, value]) => value !== undefined)
    return { type, ...Object.fromEntries(kept) } as StreamEvent
  })
}

const todo = fc.record({ id: id('i'), content: word, status: fc.constantFrom('pending', 'completed') })
const wild = fc.oneof(
  { weight: 3, arbitrary: of('block-start', { blockId: id('b'), kind: fc.constantFrom('text', 'reasoning') }) },
  { weight: 6, arbitrary: of('block-delta', { blockId: id('b'), text: word }) },
  of('block-patch', { blockId: id('b'), signature: word }),
  of('block-patch', { blockId: id('b'), citations: fc.constant([{ url: 'x' }]) }),
  { weight: 3, arbitrary: of('block-end', { blockId: id('b') }) },
  {
    weight: 3,
    arbitrary: of('tool-start', { callId: id('c'), name: word, runBy: fc.constantFrom('agent', 'client') }),
  },
  { weight: 2, arbitrary: of('tool-input-delta', { callId: id('c'), text: word }) },
  { weight: 2, arbitrary: of('tool-input', { callId: id('c'), input: fc.jsonValue({ maxDepth: 1 }) }) },
  of('tool-input', { callId: id('c'), text: word, error: word }),
  of('tool-progress', { callId: id('c'), channel: fc.constantFrom('stdout', 'data'), text: word }),
  of('tool-output', {
    callId: id('c'),
    status: fc.constantFrom('ok', 'error', 'denied', 'cancelled'),
    output: fc.jsonValue({ maxDepth: 1 }),
  }),
  of('approval', {
    approvalId: id('p'),
    callId: fc.option(id('c'), { nil: undefined }),
    state: fc.constantFrom('requested', 'requested', 'approved', 'denied', 'answered', 'expired'),
  }),
  of('step-start', { kind: fc.constant('model') }),
  of('step-end', { reason: fc.constantFrom('end_turn', 'tool_use', undefined) }),
  of('message-start', { messageId: id('m'), role: fc.constantFrom('assistant', 'assistant', 'user', 'tool') }),
  of('message-end', { messageId: id('m') }),
  of('message-retract', { messageIds: fc.array(id('m'), { maxLength: 2 }) }),
  of('todos', { listId: id('l'), op: fc.constantFrom('set', 'update'), items: fc.array(todo, { maxLength: 3 }) }),
  of('subagent-start', { agentId: fc.constantFrom('a1', 'a2'), name: word }),
  of('subagent-end', { agentId: fc.constantFrom('a1', 'a2'), status: fc.constantFrom('done', 'failed') }),
  of('status', { message: word, level: fc.constant('info') }),
  of('usage', {
    scope: fc.constantFrom('step', 'run'),
    mode: fc.constantFrom('add', 'snapshot'),
    inputTokens: fc.nat({ max: 9 }),
  }),
  of('source', {
    sourceId: id('s'),
    kind: fc.constantFrom('url', 'document'),
    url: fc.option(word, { nil: undefined }),
  }),
  of('file', { fileId: id('f'), mediaType: word, bytes: fc.option(fc.constant('AA=='), { nil: undefined }) }),
  of('data', { name: word, data: fc.jsonValue({ maxDepth: 1 }) }),
  of('metadata', { metadata: fc.constant({ a: { b: 1 } }) }),
  of('error', { message: word }),
  of('state', { channel: word, op: fc.constant('snapshot'), value: fc.jsonValue({ maxDepth: 1 }) }),
  of('control', { action: fc.constant('stop') }),
)

const outcome = fc.constantFrom('success', 'error', 'interrupted', 'cancelled', 'awaiting-input', undefined)

/** A run as it leaves the last pass, for any input. */
function balanced(events: readonly StreamEvent[], ended: string | undefined): StreamEvent[] {
  const out: StreamEvent[] = []
  const pass = balance((event) => out.push(event))
  for (const event of events) pass.push(event)
  if (ended !== undefined) pass.push({ type: 'run-end', outcome: ended } as StreamEvent)
  pass.end()
  return out
}

/** An error chunk is the run's own error, not a fault of the stream. */
const readable = (chunks: ReturnType<typeof aiSdkChunks>) => readAiSdk(chunks.filter((chunk) => chunk.type !== 'error'))

/** Whether an event begins a text part. In mobox the text of a subagent is reasoning. */
const beginsText = (event: StreamEvent, profile: string | undefined) =>
  event.type === 'block-start' && event.kind === 'text' && (profile !== 'mobox' || event.agentId === undefined)

/** The text that a run's deltas add up to, by block, in the order of their starts. */
function drawnTexts(events: readonly StreamEvent[], profile: string | undefined): string[] {
  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'block-start' && beginsText(event, profile)) texts.set(event.blockId, '')
    const text = event.type === 'block-delta' ? texts.get(event.blockId) : undefined
    if (event.type === 'block-delta' && text !== undefined) texts.set(event.blockId, text + event.text)
  }
  return [...texts.values()]
}

/** The text of a part, also of one that a subagent says. */
function textsOf(part: UIMessage['parts'][number]): readonly string[] {
  if (part.type === 'text') return [part.text]
  const { type, text } = (part.type === 'data-subagent-part' ? part.data : {}) as { type?: string; text?: string }
  return type === 'text' && text !== undefined ? [text] : []
}

describe.each([undefined, 'mobox'])('any run, profile %s', (profile) => {
  it('S0-27, S0-28, S0-91: has every delta between its start and its end, and leaves nothing open', () => {
    holds(
      fc.property(fc.array(wild, { maxLength: 60 }), outcome, (events, ended) => {
        expect(aiSdkFaults(aiSdkChunks(balanced(events, ended), profile))).toEqual([])
      }),
      1000,
    )
  })

  it('S0-6: is read by the client without an error, cut anywhere', async () => {
    await holdsAsync(
      fc.asyncProperty(fc.array(wild, { maxLength: 24 }), outcome, async (events, ended) => {
        for (let cut = 0; cut <= events.length; cut++) {
          const whole = cut === events.length
          await readable(aiSdkChunks(balanced(events.slice(0, cut), whole ? ended : undefined), profile))
        }
      }),
      25,
    )
  })

  it('carries all of the text', async () => {
    const spoken = wild.filter(({ type }) => !type.startsWith('message-'))
    await holdsAsync(
      fc.asyncProperty(fc.array(spoken, { maxLength: 40 }), outcome, async (events, ended) => {
        const run = balanced(events, ended)
        const { parts } = await readable(aiSdkChunks(run, profile))
        expect(parts.flatMap(textsOf)).toEqual(drawnTexts(run, profile))
      }),
      100,
    )
  })

  it('S0-26, S0-33: begins with its start, ends with finish and the terminator, and is the same when formatted again', () => {
    holds(
      fc.property(fc.array(wild, { maxLength: 30 }), (events) => {
        const run = balanced(events, 'success')
        const chunks = aiSdkChunks(run, profile)
        expect(chunks[0]).toEqual({ type: 'start', messageId: 'run' })
        expect(chunks.at(-1)?.type).toBe('finish')
        expect(aiSdkBody(chunks).split('\n\n').at(-2)).toBe(`data: ${aiSdk.terminator}`)
        expect(aiSdkChunks(run, profile)).toEqual(chunks)
      }),
      200,
    )
  })
})
