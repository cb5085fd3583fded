import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { fold } from './fold.ts'
import { runDigestOf, stepAt } from './run-digest.ts'
import { titleOfTalk } from './thread-title.ts'

const start: StreamEvent = { type: 'run-start' }
const end: StreamEvent = { type: 'run-end', outcome: 'success' }

let blocks = 0
function say(role: 'user' | 'assistant', ...texts: readonly string[]): readonly StreamEvent[] {
  const messageId = `m${++blocks}`
  const inside = texts.flatMap((text): StreamEvent[] => {
    const blockId = `b${++blocks}`
    return [
      { type: 'block-start', blockId, kind: 'text', messageId },
      { type: 'block-delta', blockId, text, messageId },
      { type: 'block-end', blockId, messageId },
    ]
  })
  return [{ type: 'message-start', messageId, role }, ...inside, { type: 'message-end', messageId }]
}

const call = (callId: string, name: string, input: object, error?: string): readonly StreamEvent[] => [
  { type: 'tool-start', callId, name, runBy: 'agent' },
  { type: 'tool-input', callId, input: input as never },
  {
    type: 'tool-output',
    callId,
    output: 'done',
    ...(error === undefined ? { status: 'ok' } : { status: 'error', error }),
  },
]

const snapshotOf = (...events: readonly StreamEvent[]) =>
  fold(events.map((event, index) => ({ seq: index + 1, at: 1_000 + index, event, rawThrough: 0 })))

const titleOf = (...events: readonly StreamEvent[]) => runDigestOf(snapshotOf(start, ...events, end)).title

describe('the title that a run gives its thread', () => {
  it('is the first line of a person that says something, without what hosts put around it', () => {
    const asked = '<system-reminder>\nBe kind\n</system-reminder>\n\n## Fix **the** `wheel`\nand the weir'
    expect(titleOf(...say('assistant', 'I look. Then I tell.'), ...say('user', '  \n', asked))).toBe('Fix the wheel')
    expect(titleOf(...say('user', '<command-name>/clear</command-name>'), ...say('user', 'Second'))).toBe('Second')
    expect(titleOf(...say('user', '```\nnpm test\n```'))).toBe('npm test')
    expect(titleOf(...say('user', 'See [the map](http://a.b/c) 地図'))).toBe('See the map 地図')
  })

  it('is cut at 80 characters, and not within one', () => {
    const title = titleOf(...say('user', `${'x'.repeat(78)}🎡 and more`)) ?? ''
    expect([title, title.isWellFormed()]).toEqual([`${'x'.repeat(78)}…`, true])
    expect(titleOf(...say('user', 'y'.repeat(80)))).toBe('y'.repeat(80))
  })

  it('is else the first sentence of the answer, else the first call and where it works', () => {
    expect(titleOf(...say('assistant', 'The wheel turns again. It took a day.'))).toBe('The wheel turns again')
    expect(titleOf(...say('assistant', 'No. Not that one. Ask again'))).toBe('No. Not that one')
    const cwd: StreamEvent = { type: 'metadata', metadata: { cwd: '/home/me/mill/' } }
    expect(titleOf(cwd, ...call('c', 'Bash', { call_id: 'x1', command: 'npm test\n--all' }))).toBe(
      'Bash npm test in mill',
    )
    expect(titleOf(...call('c', 'ping', {}))).toBe('ping')
    expect(titleOf()).toBeUndefined()
  })

  it('is not yet there while a text is being written, nor from a call', () => {
    const [first, second, third] = say('assistant', 'Half a sent')
    const open = [first, second, third].filter((event) => event !== undefined)
    expect(titleOfTalk(snapshotOf(start, ...open).chatEvents)).toBeUndefined()
    expect(titleOfTalk(snapshotOf(start, ...call('c', 'Bash', { command: 'ls' })).chatEvents)).toBeUndefined()
    expect(titleOfTalk(snapshotOf(start, ...say('assistant', 'All of it.')).chatEvents)).toBe('All of it')
  })

  it('does not come from what was retracted', () => {
    const wrong = say('assistant', 'Wrong words.')
    const messageIds = wrong.flatMap((event) => (event.type === 'message-start' ? [event.messageId] : []))
    expect(titleOf(...wrong, { type: 'message-retract', messageIds }, ...say('assistant', 'Right words.'))).toBe(
      'Right words',
    )
  })
})

describe('the digest of a run', () => {
  it('counts steps, calls and failures, and has the file, the model, the usage and the times', () => {
    const events: readonly StreamEvent[] = [
      { type: 'metadata', metadata: { file: 'session.jsonl' } },
      { type: 'run-start', model: 'm-1' },
      ...say('user', 'Go'),
      ...say('assistant', 'One'),
      ...call('a', 'Bash', { command: 'ls' }),
      ...call('b', 'Bash', { command: 'cd' }, 'exit 1'),
      { type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: 5, costUsd: 0.25 },
      end,
    ]
    expect(runDigestOf(snapshotOf(...events))).toEqual({
      title: 'Go',
      file: 'session.jsonl',
      model: 'm-1',
      steps: 1,
      stepStarts: [8],
      tools: 2,
      errors: 1,
      usage: { inputTokens: 5, costUsd: 0.25 },
      startedAt: 1_000,
      endedAt: 1_000 + events.length - 1,
    })
  })

  it('counts steps where the stream has them, else the messages of the answer', () => {
    const step = (number: number): StreamEvent => ({ type: 'step-start', kind: 'model', number })
    const stepped = snapshotOf(
      start,
      { type: 'message-start', messageId: 'm', role: 'assistant' },
      step(1),
      step(2),
      end,
    )
    expect(runDigestOf(stepped).steps).toBe(2)
    expect(runDigestOf(snapshotOf(start, ...say('user', 'Go'), ...say('assistant', 'a'), end)).steps).toBe(1)
  })

  it('has the first line of the error that ended it, and counts it if nothing else has failed', () => {
    const error = { message: ' No module named ddgs\n  at line 1' }
    const failed = runDigestOf(snapshotOf(start, { type: 'run-end', outcome: 'error', error }))
    expect([failed.error, failed.errors]).toEqual(['No module named ddgs', 1])
  })

  it('says in which step an entry stands, unless the step is behind those whose place is kept', () => {
    const digest = { steps: 3, stepStarts: [5, 9, 20] }
    expect([1, 5, 8, 9, 19, 20, 99].map((seq) => stepAt(digest, seq))).toEqual([0, 1, 1, 2, 2, 3, 3])
    expect([8, 9, 99].map((seq) => stepAt({ steps: 4, stepStarts: [5, 9] }, seq))).toEqual([1, undefined, undefined])
    expect(stepAt({ steps: 3 }, 9)).toBeUndefined()
  })
})
