import type { EntryMaker } from '@millrace/core/entry'
import type { ApprovalState, RunBy } from '@millrace/core/event-fields'
import type { ToolSegment, ToolState } from '@millrace/core/fold/shapes'
import type { ToolKindName } from '../../src/tools/kinds.ts'
import { tool } from '../segments.ts'
import type { Case } from './case.ts'

type Fields = Partial<ToolSegment>

/** A call of a command in every state: a new state does not compile until it is here. */
const states: { readonly [State in ToolState]: Fields } = {
  input: { inputText: '{"command":"npm te' },
  ready: { input: { command: 'npm test' } },
  approval: { input: { command: 'npm test' }, approval: { approvalId: 'a', state: 'requested' } },
  running: {
    input: { command: 'npm test' },
    progress: [
      { channel: 'stdout', text: 'one\ntwo', percent: 20 },
      { channel: 'stderr', text: '\u001b[33mslow\u001b[0m', percent: 64.6 },
      { channel: 'stdout', text: 'three' },
    ],
  },
  done: { input: { command: 'npm test' }, output: 'all green' },
  failed: { input: { command: 'npm test' }, output: 'red', error: 'Command failed with exit code 2' },
  denied: { input: { command: 'npm test' } },
  cancelled: { input: { command: 'npm test' } },
}

const approvals: { readonly [State in ApprovalState]: readonly ToolState[] } = {
  requested: ['approval'],
  approved: ['running', 'done', 'failed', 'cancelled'],
  denied: ['denied', 'done'],
  answered: ['running', 'done'],
  expired: ['cancelled', 'failed'],
}

const makers: { readonly [Maker in EntryMaker | 'stream']: Fields } = {
  server: { approval: { approvalId: 'a', state: 'approved', by: 'server' } },
  client: { approval: { approvalId: 'a', state: 'approved', by: 'client' } },
  stream: { approval: { approvalId: 'a', state: 'approved' } },
}

const runners: { readonly [By in RunBy]: true } = { agent: true, provider: true, client: true }

const kinds: { readonly [Kind in ToolKindName]: readonly [name: string, Fields][] } = {
  command: [
    ['Bash', { input: { command: 'ls', description: 'List' }, output: 'a\nb' }],
    ['shell', { input: { cmd: ['git', 'log', '-1'], timeout: 9 }, output: { exit_code: 0 } }],
    [
      'exec',
      {
        input: { script: 'a\nb' },
        output: [
          { type: 'text', text: 'x' },
          { type: 'text', text: 'y' },
        ],
      },
    ],
  ],
  code: [['python', { input: { code: 'print(1)' }, output: '1' }]],
  read: [
    ['Read', { input: { file_path: 'a.ts' }, output: 'one\ntwo\n' }],
    ['mcp__files__read_file', { server: 'files', input: { path: 'a.ts' }, output: 'one' }],
  ],
  edit: [
    [
      'Edit',
      { input: { file_path: 'a.ts', old_string: 'a\nb\nc\nd\ne\nf', new_string: 'a\nb\nc\nD\nE\ne\nf' }, output: 'ok' },
    ],
    ['apply_patch', { input: { patch: '--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n' } }],
    [
      'multiedit',
      {
        input: {
          path: 'a',
          edits: [
            { old_str: 'x', new_str: 'y' },
            { insert_line: 3, text: 'z' },
          ],
        },
      },
    ],
  ],
  write: [['Write', { input: { file_path: 'src/a.ts', content: 'const a = 1 // one\n' } }]],
  search: [
    ['Grep', { input: { pattern: 'x' }, output: 'a:1\nb:2' }],
    ['Glob', { input: { pattern: 'x' }, output: { files: ['a'] } }],
  ],
  list: [['ls', { input: { path: '.' }, output: ['a', 'b', 'c'] }]],
  web: [['WebSearch', { input: { query: 'tide' }, output: { results: [1, 2] } }]],
  fetch: [['WebFetch', { input: { url: 'https://a.example/' }, output: 'x'.repeat(1500) }]],
  other: [
    ['acme', { input: { sku: 7 }, output: { price: 3 } }],
    ['acme', { title: 'Acme report', input: { title: 'Q3', rows: 2 }, output: 'sent' }],
    ['acme', {}],
    ['acme', { input: {}, output: '' }],
    ['acme', { input: 'plain words', output: 'x' }],
  ],
}

export const toolCases: readonly Case[] = [
  ...Object.entries(states).map(([state, fields]) =>
    one(`call: ${state}`, 'Bash', { ...fields, state: state as ToolState }),
  ),
  ...Object.entries(approvals).flatMap(([answer, after]) =>
    after.map((state) =>
      one(`call: ${state} after ${answer}`, 'Bash', {
        ...states[state],
        state,
        approval: { approvalId: 'a', state: answer as ApprovalState, by: 'server', message: 'May it run?' },
      }),
    ),
  ),
  ...Object.entries(makers).map(([maker, fields]) =>
    one(`call: approved by ${maker}`, 'Bash', { ...states.done, ...fields }),
  ),
  ...Object.keys(runners).map((runBy) =>
    one(`call: run by ${runBy}`, 'locate', { state: 'ready', input: { id: 'x' }, runBy: runBy as RunBy }),
  ),
  ...Object.values(kinds)
    .flat()
    .map(([name, fields], index) => one(`kind ${index + 1}: ${name}`, name, fields)),
  one('edit to approve', 'Edit', {
    ...kinds.edit[0]?.[1],
    state: 'approval',
    approval: { approvalId: 'a', state: 'requested' },
  }),
  one('edits to approve', 'multiedit', {
    ...kinds.edit[2]?.[1],
    state: 'approval',
    approval: { approvalId: 'a', state: 'requested' },
  }),
  one('request to approve', 'acme', {
    state: 'approval',
    approval: { approvalId: 'a', state: 'requested', request: { host: 'a.example' } },
  }),
  one('write, while it is written', 'Write', {
    state: 'input',
    input: { file_path: 'a.ts', content: 'let a' },
    inputText: '{"file_path":"a.ts","content":"let a',
  }),
  { name: 'three calls as a group', segments: [tool(1, 'Read'), tool(2, 'acme'), tool(3, 'acme')] },
]

function one(name: string, toolName: string, fields: Fields): Case {
  return { name, segments: [tool(1, toolName, fields)] }
}
