import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/ai-sdk.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

const chunks = (...events: readonly StreamEvent[]) => chunksOfEach(events).flat()
const started: StreamEvent = { type: 'tool-start', callId: 'c', name: 'search', runBy: 'agent' }
const called: StreamEvent[] = [started, { type: 'tool-input', callId: 'c', input: {} }]
const output = (fields: Partial<EventOf<'tool-output'>>): StreamEvent => ({
  type: 'tool-output',
  callId: 'c',
  status: 'ok',
  output: null,
  ...fields,
})
const progressEvent = (text: string): StreamEvent => ({ type: 'tool-progress', callId: 'c', channel: 'stdout', text })
const common = { toolCallId: 'c', dynamic: true, providerExecuted: true }
const providerMetadata = { millrace: { runBy: 'agent' } }

describe('a call', () => {
  it('S0-29, S0-30: starts once, streams its input and ends with the whole input', () => {
    expect(
      chunks(
        { ...started, title: 'Search', agentId: 'a', server: 'mcp' },
        { type: 'tool-input-delta', callId: 'c', text: '{"q":1}' },
        { type: 'tool-input', callId: 'c', input: { q: 1 }, meta: { google: { signature: 's' } } },
      ),
    ).toEqual([
      {
        type: 'tool-input-start',
        ...common,
        toolName: 'search',
        title: 'Search',
        providerMetadata: { millrace: { runBy: 'agent', server: 'mcp', agentId: 'a' } },
      },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"q":1}' },
      {
        type: 'tool-input-available',
        ...common,
        toolName: 'search',
        title: 'Search',
        input: { q: 1 },
        providerMetadata: { google: { signature: 's' }, millrace: { runBy: 'agent', server: 'mcp', agentId: 'a' } },
      },
    ])
  })

  it('S0-30: has an input even if it is empty', () => {
    expect(chunks(...called).at(-1)).toEqual({
      type: 'tool-input-available',
      ...common,
      toolName: 'search',
      input: {},
      providerMetadata,
    })
  })

  it('that the client runs is not marked as executed', () => {
    const [start] = chunks({ ...started, runBy: 'client' })
    expect(start).toEqual({
      type: 'tool-input-start',
      toolCallId: 'c',
      dynamic: true,
      toolName: 'search',
      providerMetadata: { millrace: { runBy: 'client' } },
    })
  })

  it.each(['ok', 'error', 'cancelled'] as const)(
    'whose output (%s) is sent does not make the client continue',
    (status) => {
      const [, , end] = chunks(
        { ...started, runBy: 'client' },
        { type: 'tool-input', callId: 'c', input: {} },
        output({ status }),
      )
      expect(end).toMatchObject({ toolCallId: 'c', providerExecuted: true })
    },
  )

  it('that the provider runs is marked so', () => {
    const [start] = chunks({ ...started, runBy: 'provider' })
    expect(start).toMatchObject({ providerExecuted: true, providerMetadata: { millrace: { runBy: 'provider' } } })
  })

  it('keeps the text of an input that is not JSON', () => {
    expect(chunks(started, { type: 'tool-input', callId: 'c', text: '{"q', error: 'Cut off' }).at(-1)).toEqual({
      type: 'tool-input-error',
      ...common,
      toolName: 'search',
      input: '{"q',
      errorText: 'Cut off',
      providerMetadata,
    })
  })

  it('keeps an input that was refused', () => {
    const refused = chunks(started, { type: 'tool-input', callId: 'c', input: { q: 1 }, error: 'No such tool' }).at(-1)
    expect(refused).toMatchObject({ type: 'tool-input-error', input: { q: 1 }, errorText: 'No such tool' })
  })
})

describe('an output', () => {
  it.each<[string, Partial<EventOf<'tool-output'>>, object]>([
    ['is sent even if it is null', {}, { type: 'tool-output-available', ...common, output: null }],
    [
      'that failed has its error',
      { status: 'error', error: 'No' },
      { type: 'tool-output-error', ...common, errorText: 'No' },
    ],
    [
      'that failed without an error has its output',
      { status: 'error', output: { code: 1 } },
      {
        type: 'tool-output-error',
        ...common,
        errorText: '{"code":1}',
        providerMetadata: { millrace: { output: { code: 1 } } },
      },
    ],
    [
      'that was cancelled is marked so',
      { status: 'cancelled' },
      {
        type: 'tool-output-error',
        ...common,
        errorText: 'Cancelled',
        providerMetadata: { millrace: { status: 'cancelled' } },
      },
    ],
    ['that was denied is marked so', { status: 'denied' }, { type: 'tool-output-denied', toolCallId: 'c' }],
    [
      'that was denied has its error',
      { status: 'denied', output: 'Not now', error: 'Refused' },
      {
        type: 'tool-output-denied',
        toolCallId: 'c',
        providerMetadata: { millrace: { output: 'Not now', error: 'Refused' } },
      },
    ],
  ])('%s', (_, fields, expected) => {
    expect(chunks(...called, output(fields)).at(-1)).toEqual(expected)
  })
})

describe('progress', () => {
  it('is a preliminary output that contains all progress so far', () => {
    const last = chunks(...called, progressEvent('one '), progressEvent('two ')).at(-1)
    expect(last).toEqual({
      type: 'tool-output-available',
      ...common,
      output: { stdout: 'one two ' },
      preliminary: true,
    })
  })

  it('takes bytes in proportion to its input', () => {
    const line = 'x'.repeat(79)
    const lines = Array.from({ length: 20_000 }, () => progressEvent(`${line}\n`))
    const sent = chunks(...called, ...lines).filter((chunk) => chunk.preliminary === true)
    const bytes = sent.reduce((sum, chunk) => sum + JSON.stringify(chunk).length, 0)
    expect(bytes).toBeLessThan(6 * 80 * 20_000)
    expect(sent.length).toBeGreaterThan(10)
  })

  it('keeps the end of a text that is too long to repeat', () => {
    const last = chunks(...called, progressEvent('a'.repeat(200_000)), progressEvent('b'.repeat(200_000))).at(-1)
    expect(last?.output).toEqual({ stdout: 'b'.repeat(64 * 1024) })
  })

  it('does not remove the question while an answer is awaited', () => {
    const question: StreamEvent = { type: 'approval', approvalId: 'p', callId: 'c', state: 'requested' }
    const each = chunksOfEach([...called, question, progressEvent('x')])
    expect(each.at(-1)).toEqual([])
  })
})
