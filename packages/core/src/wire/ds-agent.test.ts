import { describe, expect, it } from 'vitest'
import { block, call, messagesOf, typesOf } from '../../test/wire/ds-agent.ts'
import type { StreamEvent } from '../events.ts'
import { dsAgent } from './ds-agent.ts'

const step = (number: number, kind: 'planning' | 'action' | 'final' = 'action'): StreamEvent => ({
  type: 'step-start',
  kind,
  number,
})
const stepEnd: StreamEvent = { type: 'step-end' }

describe('a stream on the wire', () => {
  const [initial, first, second, whole] = messagesOf([step(1), ...block('t', 'reasoning', 'Look ', 'at it.')]).slice(1)

  it('S2-33: begins with an empty message that announces it', () => {
    expect(initial).toMatchObject({
      content: '',
      metadata: { streaming: true, is_initial_stream: true, is_delta: false, status: 'streaming' },
    })
  })

  it('S2-34: continues with the added text, and no text twice', () => {
    expect([first?.content, second?.content]).toEqual(['Look ', 'at it.'])
    for (const message of [first, second]) {
      expect(message?.metadata).toMatchObject({ is_delta: true, streaming: true, status: 'streaming' })
      expect(message?.metadata).not.toHaveProperty('is_initial_stream')
    }
  })

  it('S2-35: ends with the whole text, also for a thought', () => {
    expect(whole).toMatchObject({
      content: 'Look at it.',
      metadata: { message_type: 'action_thought', streaming: false, is_delta: false, status: 'done' },
    })
  })

  it('S2-12, S2-20: is one message under one id of its step and type', () => {
    const all = [initial, first, second, whole]
    expect(new Set(all.map((message) => message?.metadata.stream_id))).toEqual(new Set(['msg-1-action_thought-stream']))
    expect(new Set(all.map((message) => message?.message_id))).toEqual(new Set(['run/msg-1-action_thought-stream']))
  })

  it('S2-11: is a single message if its text comes whole', () => {
    const messages = messagesOf([step(1, 'planning'), ...block('t', 'reasoning', 'All of it.'), stepEnd])
    expect(typesOf(messages)).toEqual(['planning_header', 'planning_content', 'planning_footer', 'separator'])
    expect(messages[1]).toMatchObject({ content: 'All of it.', metadata: { streaming: false, status: 'done' } })
  })

  it('is announced before anything that begins after it', () => {
    const [start, delta] = block('t', 'text', 'I look.') as [StreamEvent, StreamEvent]
    const messages = messagesOf([step(1), start, delta, ...call('c', 'search', {}, 'found')])
    expect(typesOf(messages).slice(1, 4)).toEqual(['action_thought', 'action_thought', 'tool_call'])
  })

  it('ends with the replaced text, even if the replacement comes late', () => {
    const patch = (text: string): StreamEvent => ({ type: 'block-patch', blockId: 't', text })
    const [start, ...rest] = block('t', 'reasoning', 'Lok ', 'at it.')
    const early = messagesOf([
      step(1),
      start as StreamEvent,
      ...rest.slice(0, 2),
      patch('Look at it.'),
      ...rest.slice(2),
    ])
    expect(early.at(-1)?.content).toBe('Look at it.')
    const late = messagesOf([step(1), start as StreamEvent, ...rest, patch('Look!')])
    expect(late.at(-1)).toMatchObject({ content: 'Look!', message_id: late.at(-2)?.message_id })
    expect(late.at(-1)?.metadata).toMatchObject({ streaming: false, millrace: { isRewritten: true } })
  })

  it('X30: has the whole text in each delta in the profile `cumulative`, and few deltas', () => {
    const texts = Array.from({ length: 400 }, () => 'word ')
    const messages = messagesOf([step(1), ...block('t', 'reasoning', ...texts)], { profile: 'cumulative' })
    const deltas = messages.filter(({ metadata }) => metadata.is_delta === true).map(({ content }) => content)
    expect(deltas.every((delta, at) => delta.startsWith(deltas[at - 1] ?? ''))).toBe(true)
    expect(deltas.length).toBeLessThan(20)
    expect(messages.at(-1)?.content).toBe(texts.join(''))
  })

  it('X30: has no delta later than a pause in the profile `cumulative`, and no more of them than the clock allows', () => {
    const texts = Array.from({ length: 3_000 }, () => 'slow word ')
    const timed = [step(1), ...block('t', 'reasoning', ...texts)].map((event, at) => ({ ...event, sentAt: at * 100 }))
    const messages = messagesOf(timed, { profile: 'cumulative' })
    const deltas = messages.filter(({ metadata }) => metadata.is_delta === true)
    const pauses = deltas
      .slice(1)
      .map(({ timestamp }, at) => Date.parse(timestamp) - Date.parse(deltas[at]?.timestamp ?? ''))
    expect(Math.max(...pauses.slice(0, 10))).toBeLessThanOrEqual(300)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_100)
    const length = deltas.reduce((sum, { content }) => sum + content.length, 0)
    expect(length).toBeLessThan(5 * 30_000 + 300_000 * 32)
  })

  it('X28: has the older name of observations in the profile `legacy-names`', () => {
    const events = [step(1), ...call('c', 'search', {}, 'found')]
    expect(typesOf(messagesOf(events, { profile: 'legacy-names' }))).toContain('execution_logs')
    expect(typesOf(messagesOf(events))).not.toContain('execution_logs')
  })
})

describe('calls on the wire', () => {
  const starts = ['a', 'b', 'c'].flatMap((id) => call(id, `tool_${id}`, { id }, `output ${id}`))
  const parallel = [0, 1, 2].flatMap((part) => starts.filter((_event, at) => at % 3 === part))
  const messages = messagesOf([step(1), ...parallel, stepEnd])
  const namesOf = (type: string) =>
    messages.filter(({ metadata }) => metadata.message_type === type).map(({ metadata }) => metadata.tool_name)

  it('S2-41: have a badge each', () => {
    expect(namesOf('tool_call')).toEqual(['tool_a', 'tool_b', 'tool_c'])
  })

  it('S2-42: have an invocation each, with their own input', () => {
    expect(namesOf('tool_invocation')).toEqual(['tool_a', 'tool_b', 'tool_c'])
    expect(
      messages.find(({ metadata }) => metadata.tool_name === 'tool_b' && metadata.message_type === 'tool_invocation'),
    ).toMatchObject({ content: '{\n  "id": "b"\n}' })
  })

  it('S2-43: have an observation each, with their own output', () => {
    const observations = messages.filter(({ metadata }) => metadata.message_type === 'observation')
    expect(observations.map(({ content }) => content)).toEqual(['output a', 'output b', 'output c'])
  })

  it('come before the footer of their step, even if the step ended before them', () => {
    const late = messagesOf([step(1), ...parallel.slice(0, 6), stepEnd, ...parallel.slice(6)])
    expect(typesOf(late).slice(-3)).toEqual(['observation', 'action_footer', 'separator'])
  })

  it('stream their progress, and end with the progress and their output', () => {
    const [start, input] = call('c', 'bash', { command: 'ls' }, '') as [StreamEvent, StreamEvent]
    const report = { type: 'tool-progress', callId: 'c', channel: 'stdout', text: 'a\n' } as const
    const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 'done' }
    const all = messagesOf([step(1), start, input, report, { ...report, channel: 'stderr', text: 'b\n' }, output])
    const observations = all.filter(({ metadata }) => metadata.message_type === 'observation')
    expect(observations.map(({ content }) => content)).toEqual(['', 'a\n', 'b\n', 'done', 'a\nb\ndone'])
    expect(observations[2]?.metadata).toMatchObject({ millrace: { progress: { channel: 'stderr' } } })
    const again = messagesOf([step(1), start, input, report, { ...output, output: 'a' }])
    expect(again.at(-1)?.content).toBe('a\n')
  })

  it('X27: turn their badge red when they fail, and show the error in the terminal', () => {
    const [start, input] = call('c', 'search', {}, '') as [StreamEvent, StreamEvent]
    const failure = { type: 'tool-output', callId: 'c', status: 'error', output: null, error: 'KeyError: x' } as const
    const [badge, , observation, red] = messagesOf([step(1), start, input, failure]).slice(1)
    expect(observation).toMatchObject({ content: 'KeyError: x', metadata: { component: 'terminal', error: true } })
    expect(red).toMatchObject({
      message_id: badge?.message_id,
      metadata: { message_type: 'tool_call', has_error: true },
    })
  })
})

describe('a message on the wire', () => {
  it('has the time of the framework’s clock and the id of its session', () => {
    const [message] = messagesOf([{ ...step(1), sentAt: 1_700_000_000_123 }])
    expect(message).toMatchObject({ timestamp: '2023-11-14T22:13:20.123Z', session_id: 'thread', step_number: 1 })
  })

  it('S2-23: is in the chat if a user wrote it', () => {
    const start: StreamEvent = { type: 'message-start', messageId: 'u', role: 'user' }
    const [message] = messagesOf([start, ...block('b', 'text', 'When?')])
    expect(message).toMatchObject({
      role: 'user',
      content: 'When?',
      step_number: null,
      metadata: { component: 'chat' },
    })
  })

  it('S2-16: distinguishes the first plan from later ones', () => {
    const messages = messagesOf([step(1, 'planning'), stepEnd, step(1), stepEnd, step(2, 'planning')])
    const plans = messages.filter(({ metadata }) => metadata.message_type === 'planning_header')
    expect(plans.map(({ metadata }) => metadata.planning_type)).toEqual(['initial', 'update'])
  })

  it('shows a source once that is reported twice', () => {
    const source: StreamEvent = { type: 'source', sourceId: 's', kind: 'url', url: 'https://example.org/' }
    const contents = messagesOf([source, source, { type: 'status', message: 'Searching', level: 'info' }]).map(
      ({ content }) => content,
    )
    expect(contents.filter((content) => content !== '')).toEqual(['https://example.org/', 'Searching'])
  })

  it.each<[string, readonly StreamEvent[], readonly string[]]>([
    ['another is the answer', [{ type: 'run-end', outcome: 'success' }], ['a.csv', '[b.csv](<b.csv>)']],
    [
      'a text is the answer',
      [...block('t', 'text', 'Done.'), { type: 'run-end', outcome: 'success' }],
      ['a.csv', 'b.csv', 'Done.'],
    ],
    ['the run fails', [{ type: 'run-end', outcome: 'error' }], ['a.csv', 'b.csv', 'The run failed.']],
  ])('shows a file of the final step although %s', (_case, events, shown) => {
    const file = { type: 'file', mediaType: 'text/csv' } as const
    const files = ['a.csv', 'b.csv'].map((filename) => ({ ...file, fileId: filename, filename }))
    const messages = messagesOf([step(1, 'final'), ...files, ...events])
    expect(messages.map(({ content }) => content).filter((content) => content !== '')).toEqual(shown)
  })

  it.each([
    [{ bytes: 'aGk=' }, '![tide.png](<data:image/png;base64,aGk=>)'],
    [{ url: '/api/files/1' }, '![tide.png](</api/files/1>)'],
    [{}, '![tide.png](<tide.png>)'],
  ])('answers with a file alone as markdown (%#)', (content, answer) => {
    const file = { type: 'file', fileId: 'f', mediaType: 'image/png', filename: 'tide.png', ...content } as const
    expect(messagesOf([step(1, 'final'), file, stepEnd, { type: 'run-end', outcome: 'success' }]).at(-1)?.content).toBe(
      answer,
    )
  })

  it('shows a text that it gets only after its end', () => {
    const late: StreamEvent = { type: 'block-patch', blockId: 't', text: 'At six.' }
    const messages = messagesOf([...block('t', 'text'), late, { ...late, text: 'At seven.' }])
    expect(messages.slice(1).map(({ content }) => content)).toEqual(['At six.', 'At seven.'])
    expect(new Set(messages.slice(1).map(({ message_id }) => message_id)).size).toBe(1)
  })

  it('carries events that the protocol has no message for', () => {
    const data: StreamEvent = { type: 'data', name: 'chart', data: [1] }
    const [message] = messagesOf([data, { type: 'status', message: 'Searching', level: 'info' }])
    expect(message).toMatchObject({
      content: 'Searching',
      metadata: { millrace: { events: [{ runId: 'run' }, data, {}] } },
    })
  })

  it('is sent without content if too many events wait for a message', () => {
    const raw: StreamEvent = { type: 'raw', value: 1, reason: 'unmapped' }
    const messages = messagesOf(Array.from({ length: 1000 }, () => raw))
    expect(messages.length).toBeGreaterThan(10)
    expect(messages.every(({ content }) => content === '')).toBe(true)
  })

  it('contains its cursor on a socket', () => {
    const [chunk = {}] = dsAgent
      .create({ runId: 'r', threadId: 't' })
      .push({ seq: 1, at: 0, event: step(1), rawThrough: 0 })
    expect(dsAgent.socketMessage?.(chunk, '7.0')).toMatchObject({ content: 'Step 1', metadata: { cursor: '7.0' } })
    expect(chunk.metadata).not.toHaveProperty('cursor')
  })
})
