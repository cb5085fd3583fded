import type { StreamEvent } from '@millrace/core/events'
import { type Parser, registerParser } from '@millrace/core/parse'
import type { Agent } from '@millrace/server/run/agent'

/** The moments of the story, in seconds from its beginning. */
type Moment = readonly [seconds: number, event: StreamEvent]

const usage = (inputTokens: number, outputTokens: number, costUsd: number, more: object = {}): StreamEvent => ({
  type: 'usage',
  scope: 'step',
  mode: 'snapshot',
  inputTokens,
  outputTokens,
  costUsd,
  ...more,
})

/** A text that arrives between two moments, in words, faster and slower. */
function writes(from: number, to: number, blockId: string, words: number, more: object = {}): readonly Moment[] {
  const kind = 'kind' in more ? (more as { readonly kind: 'reasoning' }) : { kind: 'text' as const }
  const agent = 'agentId' in more ? { agentId: String(more.agentId) } : {}
  const count = Math.max(2, Math.round((to - from) * 5))
  const deltas = Array.from({ length: count }, (_, index): Moment => {
    const text = 'word '.repeat(Math.max(1, Math.round((words / count) * (1 + Math.sin(index * 2.3) / 2))))
    return [from + ((to - from) * (index + 1)) / (count + 1), { type: 'block-delta', blockId, text, ...agent }]
  })
  return [
    [from, { type: 'block-start', blockId, ...kind, ...agent }],
    ...deltas,
    [to, { type: 'block-end', blockId, ...agent }],
  ]
}

interface CallTimes {
  readonly at: number
  /** When the input was complete; the call ends then plus `takes`. */
  readonly ready: number
  readonly ends?: number
  readonly failed?: true
}

function call(
  callId: string,
  name: string,
  input: { readonly [field: string]: string },
  times: CallTimes,
  agentId?: string,
): readonly Moment[] {
  const { at, ready, ends, failed } = times
  const agent: { readonly agentId?: string } = agentId === undefined ? {} : { agentId }
  const output: StreamEvent = failed
    ? { type: 'tool-output', callId, status: 'error', output: 'Exit code 1', error: '1 test failed', ...agent }
    : { type: 'tool-output', callId, status: 'ok', output: 'done', ...agent }
  return [
    [at, { type: 'tool-start', callId, name, runBy: 'agent', ...agent }],
    [ready, { type: 'tool-input', callId, input, ...agent }],
    ...(ends === undefined ? [] : [[ends, output] as const]),
  ]
}

const HELPER = 'test-writer'
const inside = { agentId: HELPER }

/** What the run of UI2's pictures does: a helper at work beside the edits, a failed test, a model call that is tried again. */
const opening: readonly Moment[] = [
  [0, { type: 'run-start', model: 'wheelwright-2' }],
  [0, { type: 'message-start', messageId: 'm1', role: 'assistant' }],
  [0, { type: 'status', message: 'Sandbox and rules read', level: 'info' }],
  [1.1, { type: 'step-start', kind: 'model', number: 1 }],
  ...writes(2.6, 10.9, 'thought-1', 300, { kind: 'reasoning' }),
  ...writes(11, 13.6, 'text-1', 90),
  ...['sluice.ts', 'level.ts', 'gate.ts', 'beat.ts'].flatMap((file, index) =>
    call(`read-${index}`, 'Read', { file_path: `src/gate/${file}` }, { at: 13.7, ready: 14.2, ends: 16 + index }),
  ),
  ...call('grep', 'Grep', { pattern: 'opensAt' }, { at: 13.9, ready: 14.2, ends: 20.4 }),
  [14.2, usage(9_100, 1_020, 0.044, { cacheReadTokens: 7_800 })],
  [14.2, { type: 'step-end' }],
  [20.4, { type: 'step-start', kind: 'model', number: 2 }],
  ...writes(20.9, 21.3, 'text-2', 30),
  ...call('helper', 'delegate', { task: 'Write a test for the gate' }, { at: 21.3, ready: 21.6 }),
  [21.6, usage(10_200, 96, 0.032, { cacheReadTokens: 9_000 })],
  [21.6, { type: 'step-end' }],
  [21.6, { type: 'subagent-start', agentId: HELPER, name: 'test-writer', callId: 'helper', task: 'Write a test' }],
]

const helper: readonly Moment[] = [
  [21.7, { type: 'step-start', kind: 'model', agentId: HELPER }],
  ...writes(22.4, 25.9, 'h-text-1', 60, inside),
  ...call('h-1', 'Read', { file_path: 'src/gate/sluice.ts' }, { at: 25.9, ready: 26, ends: 26.9 }, HELPER),
  ...call('h-2', 'Read', { file_path: 'src/gate/level.ts' }, { at: 26, ready: 26.2, ends: 28 }, HELPER),
  ...call('h-3', 'Read', { file_path: 'test/gate.test.ts' }, { at: 26.1, ready: 26.4, ends: 29.8 }, HELPER),
  [26.4, usage(4_100, 420, 0.022, inside)],
  [26.4, { type: 'step-end', agentId: HELPER }],
  ...call(
    'h-4',
    'Write',
    { file_path: 'test/sluice.test.ts', content: 'x' },
    { at: 35.1, ready: 52, ends: 54.4 },
    HELPER,
  ),
  [52, usage(5_000, 2_900, 0.061, inside)],
  [52, { type: 'step-end', agentId: HELPER }],
  [54.5, { type: 'step-start', kind: 'model', agentId: HELPER }],
  ...call('h-5', 'Bash', { command: 'npx tsc --noEmit' }, { at: 56.9, ready: 57.2, ends: 65.8 }, HELPER),
  [57.2, usage(5_500, 580, 0.021, inside)],
  [57.2, { type: 'step-end', agentId: HELPER }],
  [65.9, { type: 'step-start', kind: 'model', agentId: HELPER }],
  ...writes(66.3, 70.4, 'h-text-2', 70, inside),
  [70.6, { type: 'subagent-end', agentId: HELPER, status: 'done', summary: 'wrote a test' }],
  [70.6, { type: 'tool-output', callId: 'helper', status: 'ok', output: 'wrote a test' }],
]

const beside: readonly Moment[] = [
  [36, { type: 'step-start', kind: 'model', number: 3 }],
  ...writes(37.8, 43.4, 'text-3', 160),
  ...call('edit', 'Edit', { file_path: 'src/gate/sluice.ts' }, { at: 43.5, ready: 45.3, ends: 47.2 }),
  [45.3, usage(12_800, 1_300, 0.058, { cacheReadTokens: 11_600 })],
  [45.3, { type: 'step-end' }],
  [47.2, { type: 'step-start', kind: 'model', number: 4 }],
  ...call('test', 'Bash', { command: 'npm test -- sluice' }, { at: 48.4, ready: 49, ends: 52.1, failed: true }),
  [49, usage(13_400, 140, 0.042)],
  [49, { type: 'step-end' }],
]

const closing: readonly Moment[] = [
  [70.6, { type: 'step-start', kind: 'model', number: 5 }],
  [72.7, { type: 'error', message: 'Overloaded', code: 'overloaded' }],
  ...writes(74.1, 92.4, 'text-5', 900),
  ...call('suite', 'Bash', { command: 'npm test -- --reporter=dot' }, { at: 92.5, ready: 92.8 }),
  [92.8, usage(19_500, 2_900, 0.07, { cacheReadTokens: 13_000 })],
  ...call('deploy', 'Bash', { command: 'gatectl open --slowly' }, { at: 92.6, ready: 93 }),
  [93, { type: 'step-end' }],
  [
    122,
    {
      type: 'approval',
      approvalId: 'ask',
      callId: 'deploy',
      state: 'requested',
      message: 'Open the gate?',
    },
  ],
  [134, { type: 'tool-progress', callId: 'suite', channel: 'stdout', text: '.......' }],
]

/** The story ends this long after it began, while a test runs and a person is asked. */
const STORY_MS = 134_000

/** A format whose records are our own events: the story decides every moment. */
const FORMAT = 'timeline-story'

const parser: Parser = {
  version: 1,
  losses: {},
  recognize: () => undefined,
  create: () => ({ push: (value) => [value as StreamEvent], end: () => [] }),
}

/** The story, dated so that it has just come to its end. */
export function timelineStory(): readonly StreamEvent[] {
  const start = Date.now() - STORY_MS
  const moments = [...opening, ...helper, ...beside, ...closing].sort(([one], [other]) => one - other)
  return moments.map(([seconds, event]) => ({ ...event, sentAt: start + Math.round(seconds * 1000) }))
}

/** Sends events one after the other; with `isOpen` the run goes on until it is stopped. */
export function eventsAgent(events: () => readonly StreamEvent[], isOpen = false): Agent {
  registerParser(FORMAT, parser)
  const encoder = new TextEncoder()
  return {
    name: 'miller',
    title: 'Miller',
    format: FORMAT,
    framing: 'json-lines',
    async *run({ signal }) {
      yield encoder.encode(
        events()
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(''),
      )
      if (isOpen) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  }
}

/** A finished run of so many calls, each after the other. */
export function longRun(calls: number): readonly StreamEvent[] {
  const start = Date.now() - calls * 100
  const events: StreamEvent[] = [{ type: 'run-start', model: 'wheelwright-2', sentAt: start }]
  for (let index = 0; index < calls; index++) {
    const at = start + index * 100
    const callId = `c${index}`
    events.push({ type: 'step-start', kind: 'model', sentAt: at })
    events.push({
      type: 'tool-start',
      callId,
      name: index % 9 === 0 ? 'Bash' : 'Read',
      runBy: 'agent',
      sentAt: at + 40,
    })
    events.push({ type: 'tool-input', callId, input: { file_path: `src/${index}.ts` }, sentAt: at + 45 })
    events.push({ type: 'tool-output', callId, status: 'ok', output: 'done', sentAt: at + 95 })
  }
  return [...events, { type: 'run-end', outcome: 'success', sentAt: start + calls * 100 }]
}
