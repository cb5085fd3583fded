import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { fold } from './fold.ts'
import { searchTextsOf } from './search-texts.ts'

const textsOf = (...events: readonly StreamEvent[]) =>
  searchTextsOf(fold(events.map((event, at) => ({ seq: at + 1, at: 0, rawThrough: 0, event }))).chatEvents)

const say = (blockId: string, text: string, kind: 'text' | 'reasoning' = 'text', agentId?: string): StreamEvent[] => [
  { type: 'block-start', blockId, kind, ...(agentId !== undefined && { agentId }) },
  { type: 'block-delta', blockId, text },
  { type: 'block-end', blockId },
]

describe('the texts of a run that can be searched', () => {
  it('are what a person, the agent, its tools and its subagents have said, each with the entry that shows it', () => {
    expect(
      textsOf(
        { type: 'run-start' },
        { type: 'message-start', messageId: 'u', role: 'user' },
        ...say('q', 'When may we leave?'),
        { type: 'message-end', messageId: 'u' },
        { type: 'message-start', messageId: 'm', role: 'assistant' },
        ...say('r', 'Ask the gauge.', 'reasoning'),
        { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' },
        { type: 'tool-input', callId: 'c', input: { harbour: 'Millport', days: [1, 2] } },
        { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'reading' },
        { type: 'tool-output', callId: 'c', status: 'error', output: null, error: 'It is offline.' },
        { type: 'status', message: 'Wheel stopped', level: 'warn' },
        { type: 'subagent-start', agentId: 'a', name: 'pilot', task: 'When is slack water?' },
        ...say('s', 'At six.', 'text', 'a'),
        { type: 'subagent-end', agentId: 'a', status: 'done', summary: 'At 06:40' },
        ...say('t', 'Leave at six.'),
        { type: 'message-end', messageId: 'm' },
      ),
    ).toEqual([
      { kind: 'question', seq: 3, text: 'When may we leave?' },
      { kind: 'reasoning', seq: 8, text: 'Ask the gauge.' },
      { kind: 'input', seq: 11, name: 'get_tide', text: 'get_tide\nharbour: Millport\ndays: 1\n2' },
      { kind: 'output', seq: 11, name: 'get_tide', text: 'reading\nnull\nIt is offline.' },
      { kind: 'notice', seq: 15, text: 'Wheel stopped' },
      { kind: 'notice', seq: 16, name: 'pilot', text: 'When is slack water?' },
      { kind: 'notice', seq: 16, name: 'pilot', text: 'At 06:40' },
      { kind: 'text', seq: 17, text: 'At six.' },
      { kind: 'text', seq: 21, text: 'Leave at six.' },
    ])
  })

  it('leave out what was retracted, and all but the beginning and the end of a long text', () => {
    const long = `first ${'x'.repeat(100_000)} last`
    const texts = textsOf(
      { type: 'run-start' },
      { type: 'message-start', messageId: 'm', role: 'assistant' },
      ...say('t', 'Refused'),
      { type: 'message-end', messageId: 'm' },
      { type: 'message-start', messageId: 'n', role: 'assistant' },
      ...say('u', long),
      { type: 'message-end', messageId: 'n' },
      { type: 'message-retract', messageIds: ['m'] },
    )
    expect(texts).toHaveLength(1)
    const text = texts[0]?.text ?? ''
    expect([text.startsWith('first'), text.endsWith('last'), text.length < 33_000]).toEqual([true, true, true])
  })
})
