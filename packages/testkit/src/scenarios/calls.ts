import type { Scenario } from '../scenarios.ts'
import { called, finished, message, textBlock } from './message.ts'

export const callScenarios: readonly Scenario[] = [
  {
    name: 'a call whose input streams',
    round: (k) =>
      message(
        k,
        { type: 'tool-start', callId: `call-r${k}`, name: 'search', runBy: 'agent', title: 'Search', server: 'web' },
        { type: 'tool-input-delta', callId: `call-r${k}`, text: '{"query":' },
        { type: 'tool-input-delta', callId: `call-r${k}`, text: '"mill"}' },
        { type: 'tool-input', callId: `call-r${k}`, input: { query: 'mill' } },
        finished(`call-r${k}`),
      ),
  },
  {
    name: 'a call that reports its progress',
    round: (k) =>
      message(
        k,
        ...called(`call-r${k}`),
        { type: 'tool-progress', callId: `call-r${k}`, channel: 'stdout', text: 'a', percent: 10 },
        { type: 'tool-progress', callId: `call-r${k}`, channel: 'stdout', text: 'b' },
        { type: 'tool-progress', callId: `call-r${k}`, channel: 'stderr', text: 'c' },
        { type: 'tool-progress', callId: `call-r${k}`, channel: 'data', data: { n: 1 }, percent: 90 },
        finished(`call-r${k}`),
      ),
  },
  {
    name: 'a call that fails, one that is cancelled and one without a usable input',
    round: (k) =>
      message(
        k,
        ...called(`failed-r${k}`),
        { type: 'tool-output', callId: `failed-r${k}`, status: 'error', output: null, error: 'No such page.' },
        ...called(`cancelled-r${k}`),
        { type: 'tool-output', callId: `cancelled-r${k}`, status: 'cancelled', output: null },
        { type: 'tool-start', callId: `broken-r${k}`, name: 'search', runBy: 'agent' },
        { type: 'tool-input', callId: `broken-r${k}`, text: '{"quer', error: 'Not JSON.' },
        { type: 'tool-output', callId: `broken-r${k}`, status: 'error', output: null, error: 'Not JSON.' },
      ),
  },
  {
    name: 'two calls at once that end in reverse',
    round: (k) =>
      message(
        k,
        ...called(`one-r${k}`),
        ...called(`two-r${k}`, 'read', { path: 'a' }),
        finished(`two-r${k}`, 2),
        finished(`one-r${k}`, 1),
      ),
  },
  {
    name: 'a call within a call',
    round: (k) =>
      message(
        k,
        ...called(`outer-r${k}`),
        { type: 'tool-start', callId: `inner-r${k}`, name: 'read', runBy: 'provider', parentCallId: `outer-r${k}` },
        { type: 'tool-input', callId: `inner-r${k}`, input: {} },
        finished(`inner-r${k}`, 1),
        finished(`outer-r${k}`, 2),
      ),
  },
  {
    name: 'an output after the message of its call',
    round: (k) => [
      ...message(k, ...called(`call-r${k}`)),
      { type: 'message-start', messageId: `next-r${k}`, role: 'assistant' },
      finished(`call-r${k}`),
      ...textBlock(k, 'Done.'),
      { type: 'message-end', messageId: `next-r${k}` },
    ],
  },
  {
    name: 'a call with a source and a file',
    round: (k) =>
      message(
        k,
        ...called(`call-r${k}`),
        { type: 'source', sourceId: `source-r${k}`, kind: 'url', url: 'https://example.com/', callId: `call-r${k}` },
        { type: 'file', fileId: `file-r${k}`, mediaType: 'text/plain', filename: 'a.txt', callId: `call-r${k}` },
        finished(`call-r${k}`),
      ),
  },
]
