import type {
  ApprovalSegment,
  BlockState,
  FileSegment,
  Segment,
  SourceSegment,
  SubagentSegment,
} from '@millrace/core/fold/shapes'
import { enums, todoStatuses, valuesOf } from '@millrace/testkit/vocabulary'
import { at, error, status, text, thought, todos, tool } from '../segments.ts'
import type { Case } from './case.ts'

const blockStates: { readonly [State in BlockState]: true } = { live: true, done: true, interrupted: true }

const subagentStates = { live: true, ...enums['subagent-end'].status } as const

const one = (name: string, ...segments: readonly Segment[]): Case => ({ name, segments })

const citations = [
  { title: 'A title', url: 'https://www.a.example/x' },
  { document_title: 'A document', url: 'javascript:alert(1)' },
  { filename: 'a.pdf' },
  { url: 'https://b.example' },
  { title: '', cited_text: 'a'.repeat(300) },
  { nothing: 1 },
  'not an object',
]

export const blockCases: readonly Case[] = [
  ...valuesOf(blockStates).flatMap((state) => [
    one(`text: ${state}`, text(1, 'Some **bold', state)),
    one(`thought: ${state}`, { ...thought(1, 'Hm, *so', state === 'live' ? undefined : 1000), state }),
  ]),
  ...valuesOf(enums['block-start'].variant).flatMap((variant) => [
    one(`text: ${variant}`, { ...text(1, 'Words.'), variant }),
    one(`thought: ${variant}`, { ...thought(1, 'Words.', 1000), variant }),
  ]),
  one('text: citations', { ...text(1, 'Cited.'), citations }),
  one('thought: hidden by the provider', { ...thought(1, '', 9000), encrypted: 'x' }),
  one('thoughts: a whole one, then one that was cut', thought(1, 'One.', 1000), {
    ...thought(2, 'Two', 1000),
    state: 'interrupted',
  }),
  one(
    'thoughts: one that was cut, then a whole one',
    { ...thought(1, 'One', 1000), state: 'interrupted' },
    thought(2, 'Two.', 1000),
  ),
  one(
    'thoughts: an empty one between others',
    thought(1, 'One.', 1000),
    { ...thought(2, ' ', 1000), encrypted: 'x' },
    thought(3, 'Three', undefined),
  ),
  one('status: live', status(1, ['first', 'second', 'third'])),
  one('status: two segments', status(1, ['first'], 1000), status(2, ['second', 'third'], 61_500)),
  ...valuesOf(enums.status.level).map((level) =>
    one(`status: ${level}`, {
      ...status(1, [], 3000),
      lines: [{ message: 'words', level, at: at(1).startedAt + 12_300 }],
    }),
  ),
  ...valuesOf(todoStatuses).map((each) => one(`plan: ${each}`, todos(1, [each]))),
  one('plan: all of them', todos(1, valuesOf(todoStatuses))),
  one('plan: settled', todos(1, ['completed', 'cancelled', 'completed'])),
]

const scout: SubagentSegment = {
  type: 'subagent',
  agentId: 'a',
  name: 'scout',
  task: 'Look around',
  state: 'done',
  summary: 'Found *it*.',
  segments: [
    tool(2, 'Read', { output: 'x' }),
    thought(3, 'Hm.', 1000),
    text(4, 'Here.'),
    tool(5, 'Grep', { state: 'failed' }),
  ],
  ...at(1, 7000),
}

const { endedAt: _endedAt, ...unended } = scout
const liveScout: SubagentSegment = { ...unended, state: 'live' }

const question: ApprovalSegment = {
  type: 'approval',
  approvalId: 'q',
  state: 'requested',
  message: 'Which one?',
  ...at(1),
}
const source: SourceSegment = { type: 'source', sourceId: 's1', kind: 'url', ...at(1, 0) }
const file: FileSegment = { type: 'file', fileId: 'f', mediaType: 'text/plain', ...at(1, 0) }
const seq = <Each extends Segment>(segment: Each, first: number): Each => ({ ...segment, seqs: [first, first] })

export const cardCases: readonly Case[] = [
  ...valuesOf(subagentStates).map((state) =>
    one(`subagent: ${state}`, state === 'live' ? { ...liveScout, state } : { ...scout, state }),
  ),
  one('subagent: live, with a live thought and a nested subagent', {
    ...liveScout,
    segments: [{ ...scout, seqs: [2, 9], name: 'inner', state: 'failed' }, thought(10, 'Hm')],
  }),
  one('subagent: nothing in it', {
    type: 'subagent',
    agentId: 'a',
    name: 'idle',
    state: 'done',
    summary: ' ',
    segments: [],
    ...at(1, 20),
  }),
  ...valuesOf(enums.approval.state).flatMap((state) => [
    one(`question: ${state}`, { ...question, state, by: 'server' }),
    one(`question with choices: ${state}`, {
      ...question,
      state,
      request: { options: ['staging', 'canary'] },
      ...(state === 'answered' && { answer: 'canary' }),
    }),
    one(`question with a request: ${state}`, { ...question, state, request: { options: ['a'], more: 1 } }),
  ]),
  one(
    'chips: sources and files',
    seq({ ...file, filename: 'a.txt', url: '/api/files/abc' }, 1),
    seq({ ...source, url: 'https://www.a.example/x', title: 'A title', snippet: 'A snippet' }, 2),
    seq({ ...file, mediaType: 'image/png', bytes: 'AAAA'.repeat(1000) }, 3),
    seq({ ...source, sourceId: 's2', url: 'https://b.example/' }, 4),
    seq({ ...source, sourceId: 's3', url: 'javascript:alert(1)', title: 'Bad' }, 5),
    seq({ ...file, filename: 'b.txt', url: '/api/threads', bytes: 'QQ==' }, 6),
    seq({ ...source, sourceId: 's4' }, 7),
  ),
  one('chips: sources only', seq(source, 1), seq({ ...source, sourceId: 's2' }, 2)),
  one('data', { type: 'data', name: 'chart', data: { kind: 'bar', values: [1] }, ...at(1, 0) }),
  one(
    'data: a list, a number and nothing',
    ...[[], [1], 7, null, {}].map(
      (data, index): Segment => ({ type: 'data', name: `d${index}`, data, ...at(index + 1, 0) }),
    ),
  ),
  one('error: recovered', { ...error(1, 'Overloaded'), code: '529', name: 'overloaded' }, text(2, 'Again.')),
  one('error: code and name are the same', { ...error(1, 'Gone'), code: 'gone', name: 'gone' }, text(2, 'Again.')),
]
