import type { Entry, StreamEvent } from '@millrace/core/events'
import type { Run } from './fold-laws.ts'
import { balanced, entriesOf } from './runs.ts'

/** One run of a thread that a client loads. */
export interface ThreadRun {
  readonly runId: string
  /** The message that the run continues, if an earlier run began it. */
  readonly messageId?: string
  readonly entries: readonly Entry[]
  /** How many entries are there before any reader: the log takes the input of a run at once. */
  readonly first: number
  /** What the client has sent for the run. */
  readonly question?: { readonly id: string; readonly text: string }
  /** Outputs of tools that the client has run for it, by the ids of the log; `callRun` is the run that made the call. */
  readonly outputs?: readonly { readonly callId: string; readonly callRun: string; readonly output: string }[]
}

/** The runs of the current branch, oldest first. */
export interface ThreadCase {
  readonly name: string
  readonly runs: readonly ThreadRun[]
}

const TEXT = 'How does it turn?'

function asked(id: string): readonly StreamEvent[] {
  const scope = { messageId: 'input-1' }
  return [
    { type: 'message-start', role: 'user', ...scope, meta: { millrace: { clientId: id } } },
    { type: 'block-start', blockId: 'input-1-text', kind: 'text', ...scope },
    { type: 'block-delta', blockId: 'input-1-text', text: TEXT.slice(0, 4), ...scope },
    { type: 'block-delta', blockId: 'input-1-text', text: TEXT.slice(4), ...scope },
    { type: 'block-end', blockId: 'input-1-text', ...scope },
    { type: 'message-end', ...scope },
  ]
}

/** A run with the question that a client has sent, which directly follows `run-start`. */
function answered(runId: string, events: readonly StreamEvent[]): ThreadRun {
  const [start, ...rest] = events
  const id = `question of ${runId}`
  const entries = entriesOf(start === undefined ? [] : [start, ...asked(id), ...rest])
  return { runId, entries, first: 1 + asked(id).length, question: { id, text: TEXT } }
}

/** Each run alone, as the answer to a question. */
export const alone = ({ name, entries }: Run): ThreadCase => ({
  name,
  runs:
    entries.length === 0
      ? []
      : [
          answered(
            'run',
            entries.map(({ event }) => event),
          ),
        ],
})

/** All runs as one thread. The ids of the log repeat from run to run. */
export function joined(name: string, runs: readonly Run[]): ThreadCase {
  const answers = runs.map(({ entries }, index) =>
    answered(
      `run-${index + 1}`,
      entries.map(({ event }) => event),
    ),
  )
  return { name, runs: answers }
}

const CALLED: readonly StreamEvent[] = [
  { type: 'message-start', messageId: 'm1', role: 'assistant' },
  { type: 'block-start', blockId: 'b1', kind: 'text' },
  { type: 'block-delta', blockId: 'b1', text: 'I look.' },
  { type: 'block-end', blockId: 'b1' },
  { type: 'tool-start', callId: 'call', name: 'look', runBy: 'client' },
  { type: 'tool-input-delta', callId: 'call', text: '{"side":' },
  { type: 'tool-input-delta', callId: 'call', text: '"west"}' },
  { type: 'tool-input', callId: 'call', input: { side: 'west' } },
  { type: 'message-end', messageId: 'm1' },
  { type: 'run-end', outcome: 'awaiting-input' },
]

const orphan = { millrace: { orphan: true } } as const

const RETURNED: readonly StreamEvent[] = [
  { type: 'message-start', messageId: 'outputs', role: 'tool' },
  { type: 'tool-start', callId: 'call', name: 'look', runBy: 'client', messageId: 'outputs', meta: orphan },
  { type: 'tool-input', callId: 'call', input: { side: 'west' }, messageId: 'outputs', meta: orphan },
  { type: 'tool-output', callId: 'call', status: 'ok', output: 'grey', messageId: 'outputs' },
  { type: 'message-end', messageId: 'outputs' },
  { type: 'message-start', messageId: 'm2', role: 'assistant' },
  { type: 'block-start', blockId: 'b1', kind: 'text' },
  { type: 'block-delta', blockId: 'b1', text: 'It is ' },
  { type: 'block-delta', blockId: 'b1', text: 'grey.' },
  { type: 'block-end', blockId: 'b1' },
  { type: 'message-end', messageId: 'm2' },
  { type: 'run-end', outcome: 'success' },
]

/** A tool of the client, whose output begins the run that continues the message. */
const clientTool: ThreadCase = {
  name: 'a tool that the client runs, and a question after it',
  runs: [
    answered('run-1', [{ type: 'run-start' }, ...CALLED]),
    {
      runId: 'run-2',
      messageId: 'run-1',
      entries: entriesOf([{ type: 'run-start', meta: { millrace: { messageId: 'run-1' } } }, ...RETURNED]),
      first: 6,
      outputs: [{ callId: 'call', callRun: 'run-1', output: 'grey' }],
    },
    answered('run-3', [{ type: 'run-start' }, ...RETURNED.slice(5)]),
  ],
}

const spoken = (text: string, ...after: readonly StreamEvent[]): readonly StreamEvent[] => [
  { type: 'run-start', model: 'mill-1' },
  { type: 'message-start', messageId: 'm1', role: 'assistant' },
  { type: 'block-start', blockId: 'b1', kind: 'reasoning' },
  { type: 'block-delta', blockId: 'b1', text: 'Let me see.' },
  { type: 'block-patch', blockId: 'b1', signature: 'signed' },
  { type: 'block-end', blockId: 'b1' },
  { type: 'block-start', blockId: 'b2', kind: 'text' },
  { type: 'block-delta', blockId: 'b2', text },
  { type: 'tool-start', callId: 'c1', name: 'turn', runBy: 'agent' },
  { type: 'tool-input', callId: 'c1', input: { by: 1 } },
  ...after,
]

const question = { type: 'approval', approvalId: 'a1', callId: 'c1', state: 'requested', message: 'May I?' } as const
const answer = { type: 'approval', approvalId: 'a1', callId: 'c1', state: 'approved', message: 'Yes.' } as const

/** Runs that end in every way, in one thread: stopped, failed, answered, denied, waiting. */
const endings: ThreadCase = {
  name: 'runs that are stopped, fail, and are answered',
  runs: [
    answered('run-1', balanced(spoken('It stops', { type: 'run-end', outcome: 'cancelled' }))),
    answered(
      'run-2',
      balanced(spoken('It breaks', { type: 'run-end', outcome: 'error', error: { message: 'Broken' } })),
    ),
    answered('run-3', balanced(spoken('It is cut', { type: 'run-end', outcome: 'interrupted' }))),
    answered('run-4', balanced(spoken('May it?', { type: 'block-end', blockId: 'b2' }, question, answer))),
    answered(
      'run-5',
      balanced(spoken('May it?', { type: 'block-end', blockId: 'b2' }, question, { ...answer, state: 'denied' })),
    ),
    answered('run-6', balanced(spoken('Now?', { type: 'block-end', blockId: 'b2' }, question))),
  ],
}

/** A person adds something while the agent works. */
const steered: ThreadCase = {
  name: 'a run that is steered',
  runs: [
    answered(
      'run-1',
      balanced([
        ...spoken('It turns', { type: 'block-end', blockId: 'b2' }, { type: 'message-end', messageId: 'm1' }),
        { type: 'control', action: 'steer', messageId: 'later' },
        { type: 'message-start', messageId: 'later', role: 'user' },
        { type: 'block-start', blockId: 'later-text', kind: 'text', messageId: 'later' },
        { type: 'block-delta', blockId: 'later-text', text: 'Faster.', messageId: 'later' },
        { type: 'block-end', blockId: 'later-text', messageId: 'later' },
        { type: 'message-end', messageId: 'later' },
        { type: 'tool-output', callId: 'c1', status: 'ok', output: 'turned' },
      ]),
    ),
    answered('run-2', balanced(spoken('Again.'))),
  ],
}

const stepWith = (callId: string, by: number): readonly StreamEvent[] => [
  { type: 'step-start', kind: 'model' },
  { type: 'tool-start', callId, name: 'turn', runBy: 'agent' },
  { type: 'tool-input', callId, input: { by } },
  { type: 'tool-output', callId, status: 'ok', output: by },
  { type: 'step-end' },
]

/** Providers number their calls anew in each response. */
const repeatedCall: ThreadCase = {
  name: 'a call id that is used again in the next step',
  runs: [
    answered('run-1', [
      { type: 'run-start' },
      { type: 'message-start', messageId: 'm1', role: 'assistant' },
      ...stepWith('c1', 1),
      ...stepWith('c1', 2),
      { type: 'message-end', messageId: 'm1' },
      { type: 'run-end', outcome: 'success' },
    ]),
  ],
}

const byAgent = { agentId: 'a1' } as const

/** Nothing of this stays with the client at once: a part that is only handed on, and words between two parts of a subagent. */
const passing: ThreadCase = {
  name: 'a step that begins with transient data, a subagent, data with the id of its text, and a tool of the provider',
  runs: [
    answered(
      'run-1',
      balanced([
        { type: 'run-start' },
        { type: 'message-start', messageId: 'm1', role: 'assistant' },
        { type: 'step-start', kind: 'model' },
        { type: 'data', name: 'gauge', data: 1, transient: true },
        { type: 'subagent-start', name: 'pilot', ...byAgent },
        { type: 'block-start', blockId: 'b1', kind: 'text', ...byAgent },
        { type: 'block-delta', blockId: 'b1', text: 'Slack water is early, at twenty to' },
        { type: 'data', name: 'depth', id: 'b1', data: { metres: 4 } },
        { type: 'block-delta', blockId: 'b1', text: ' seven.' },
        { type: 'block-end', blockId: 'b1' },
        { type: 'subagent-end', status: 'done', ...byAgent },
        { type: 'tool-start', callId: 'c1', name: 'web_search', runBy: 'provider' },
        { type: 'tool-input', callId: 'c1', input: { query: 'slack water' } },
        { type: 'tool-progress', callId: 'c1', channel: 'data', data: { status: 'searching' } },
        { type: 'tool-output', callId: 'c1', status: 'ok', output: ['06:40'] },
        { type: 'step-end' },
        { type: 'message-end', messageId: 'm1' },
        { type: 'run-end', outcome: 'success' },
      ]),
    ),
  ],
}

/** Nothing shows the step: neither its content nor a reason for the failure. */
const emptyStep: ThreadCase = {
  name: 'a run that fails in a step before it has said anything',
  runs: [
    answered('run-1', [
      { type: 'run-start' },
      { type: 'data', name: 'gauge', data: 1 },
      { type: 'step-start', kind: 'model' },
      { type: 'step-end' },
      { type: 'run-end', outcome: 'error' },
    ]),
    answered('run-2', balanced(spoken('Again.'))),
  ],
}

export const historyThreads: readonly ThreadCase[] = [clientTool, endings, steered, repeatedCall, passing, emptyStep]
