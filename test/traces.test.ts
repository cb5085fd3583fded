import type { StreamEvent } from '@millrace/core/events'
import { missingStrings, tracesOf } from '@millrace/testkit/traces'
import { describe, expect, it } from 'vitest'

const events: readonly StreamEvent[] = [
  { type: 'message-start', messageId: 'm', role: 'assistant' },
  { type: 'subagent-start', agentId: 'g', name: 'pilot' },
  { type: 'block-start', blockId: 'inner', kind: 'text', agentId: 'g' },
  { type: 'block-delta', blockId: 'inner', text: 'Slack water at six.' },
  { type: 'tool-start', callId: 'c', name: 'sound', runBy: 'agent', agentId: 'g' },
  { type: 'tool-output', callId: 'c', status: 'ok', output: 'Four fathoms.' },
  { type: 'block-start', blockId: 'outer', kind: 'text' },
  { type: 'block-delta', blockId: 'outer', text: 'Leave at six.' },
]

describe('the strings that a wire must carry', () => {
  it('are those of all events if it loses nothing', () => {
    expect(tracesOf(events, {})).toEqual(['pilot', 'Slack water at six.', 'sound', 'Four fathoms.', 'Leave at six.'])
  })

  it('are not those of a subagent whose content it loses, although only the start of a block or call names the agent', () => {
    expect(tracesOf(events, { 'subagent-content': 'Not carried.' })).toEqual(['pilot', 'Leave at six.'])
  })
})

describe('the strings of a source that is reported again', () => {
  it('are wanted once', () => {
    const source: StreamEvent = { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.org/' }
    expect(tracesOf([source, source], {})).toEqual(['https://example.org/'])
  })
})

describe('a string that was said', () => {
  it.each([
    ['once and is there', ['Leave at six.'], [{ text: 'Leave at six.' }], []],
    ['twice and is there once', ['At six.', 'At six.'], [{ text: 'At six.' }], ['At six.']],
    ['twice and is there twice, once escaped', ['a "b"', 'a "b"'], ['a "b"', '{"text":"a \\"b\\""}'], []],
    [
      'in deltas that join',
      ['At six.'],
      [
        { id: 1, delta: 'At ' },
        { id: 1, delta: 'six.' },
      ],
      [],
    ],
  ])('%s', (_, strings, chunks, missing) => {
    expect(missingStrings(strings, chunks)).toEqual(missing)
  })
})
