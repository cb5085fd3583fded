import { describe, expect, it } from 'vitest'
import { block, call, messagesOf, typesOf } from '../../../test/wire/ds-agent.ts'
import type { StreamEvent } from '../../events.ts'

const step = (number: number, kind: 'planning' | 'action' | 'final' = 'action'): StreamEvent => ({
  type: 'step-start',
  kind,
  number,
})
const stepEnd: StreamEvent = { type: 'step-end' }

const success: StreamEvent = { type: 'run-end', outcome: 'success' }

describe('the end of a run on the wire', () => {
  const thought = block('t', 'text', 'I ', 'look.')
  const answer = block('a', 'text', 'At ', 'six.')

  it('S2-30: is one final answer', () => {
    const messages = messagesOf([step(1, 'final'), ...block('a', 'text', 'At six.'), stepEnd, success])
    expect(typesOf(messages)).toEqual(['final_answer'])
  })

  it('makes the last text the answer, under the id of its stream, and no other text', () => {
    const messages = messagesOf([
      step(1),
      ...thought,
      ...call('c', 'search', {}, 'x'),
      stepEnd,
      step(2),
      ...answer,
      stepEnd,
      success,
    ])
    const answers = messages.filter(({ metadata }) => metadata.message_type === 'final_answer')
    expect(answers).toEqual([messages.at(-1)])
    expect(answers[0]).toMatchObject({ content: 'At six.', message_id: 'run/msg-2-action_thought-stream' })
    expect(
      messages.filter(({ content }) => content === 'I look.').map(({ metadata }) => metadata.message_type),
    ).toEqual(['action_thought'])
  })

  it('does not take a text for the answer if a call began during it', () => {
    const [start, first, second, end] = answer as [StreamEvent, StreamEvent, StreamEvent, StreamEvent]
    const messages = messagesOf([step(1), start, first, ...call('c', 'search', {}, 'x'), second, end, stepEnd, success])
    expect(messages.at(-1)).toMatchObject({ content: '', metadata: { message_type: 'final_answer' } })
    const thoughts = messages.filter(({ content }) => content === 'At six.')
    expect(typesOf(thoughts)).toEqual(['action_thought'])
  })

  it('keeps the answer if a subagent continues after it', () => {
    const [inner] = block('s', 'text', 'Still here.').map((event) => ({ ...event, agentId: 'pilot' }))
    const messages = messagesOf([step(1), ...answer, inner as StreamEvent, stepEnd, success])
    expect(messages.at(-1)).toMatchObject({ content: 'At six.', metadata: { message_type: 'final_answer' } })
  })

  it('has an empty answer if the agent ended without a text', () => {
    const messages = messagesOf([step(1), ...call('c', 'search', {}, 'x'), stepEnd, success])
    expect(messages.at(-1)).toMatchObject({ content: '', metadata: { message_type: 'final_answer' } })
  })

  it('S2-45: wraps an error', () => {
    const error = { name: 'ValueError', message: 'No such harbour.' }
    expect(messagesOf([{ type: 'run-end', outcome: 'error', error }]).at(-1)).toMatchObject({
      content: 'No such harbour.',
      metadata: {
        component: 'chat',
        message_type: 'error',
        error: true,
        error_type: 'ValueError',
        error_message: 'No such harbour.',
      },
    })
  })

  it.each([
    ['error', { message: 'ConnectionError: gone' }, 'ConnectionError'],
    ['error', { message: 'Gone.', code: 'rate_limit' }, 'rate_limit'],
    ['error', undefined, 'Error'],
    ['cancelled', undefined, 'CancelledError'],
    ['interrupted', undefined, 'InterruptedError'],
  ] as const)('S2-45, X32: for the end %s with %o has the error type %s', (outcome, error, type) => {
    const end: StreamEvent = { type: 'run-end', outcome, ...(error !== undefined && { error }) }
    const messages = messagesOf([step(1), ...thought, stepEnd, end])
    expect(messages.at(-1)?.metadata).toMatchObject({ error: true, error_type: type })
    expect(typesOf(messages)).not.toContain('final_answer')
  })

  it('sends an error once if it came before the end', () => {
    const message = 'No water.'
    const messages = messagesOf([
      { type: 'error', message },
      { type: 'run-end', outcome: 'error', error: { message } },
    ])
    expect(new Set(messages.map(({ message_id }) => message_id)).size).toBe(1)
  })

  it('leaves no stream of a call without output open', () => {
    const [start, input] = call('c', 'bash', {}, '') as [StreamEvent, StreamEvent]
    const report: StreamEvent = { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'a' }
    const messages = messagesOf([step(1), start, input, report, { type: 'run-end', outcome: 'awaiting-input' }])
    const observations = messages.filter(({ metadata }) => metadata.message_type === 'observation')
    expect(observations.at(-1)).toMatchObject({ content: 'a', metadata: { streaming: false, status: 'done' } })
    expect(messages.at(-1)).toMatchObject({ content: 'Waiting for an answer.', metadata: { agent_status: 'standby' } })
  })

  it('keeps the order of blocks if one gets its text after its end, while the next has sent nothing', () => {
    const [start, end] = block('a', 'text') as [StreamEvent, StreamEvent]
    const messages = messagesOf([
      step(1),
      start,
      end,
      { type: 'block-start', blockId: 'b', kind: 'text' },
      { type: 'block-patch', blockId: 'a', text: 'First.' },
      { type: 'block-delta', blockId: 'b', text: 'Second.' },
      { type: 'block-end', blockId: 'b' },
      stepEnd,
      success,
    ])
    const whole = new Map(messages.map(({ message_id, content }) => [message_id, content]))
    expect([...whole.values()].filter((text) => text === 'First.' || text === 'Second.')).toEqual(['First.', 'Second.'])
  })
})
