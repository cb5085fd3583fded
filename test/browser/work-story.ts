import type { StreamEvent } from '@millrace/core/events'
import type { Agent } from '@millrace/server/run/agent'
import { before, report } from './work-story-texts.ts'

/** A line of the agent's stream, or events that its host adds; in order. */
export type StoryPart = { readonly line: object } | { readonly events: readonly StreamEvent[] }

/** The stream has a clock: the story took a minute, and has just come to its end. */
const START = Date.now() - 60_000
let clock = 0

const line = (after: number, type: string, data: object): StoryPart => {
  clock += after
  return { line: { type, data: { ...data, timestamp: new Date(START + clock).toISOString() } } }
}
const call = (id: string, name: string, input: object) => line(300, 'tool_use', { id, name, input })
const result = (after: number, id: string, content: string) => line(after, 'tool_result', { tool_use_id: id, content })
const failure = (after: number, id: string, content: string) =>
  line(after, 'tool_result', { tool_use_id: id, content, is_error: true })

const SLUICE = '/mill/src/gate/sluice.ts'
const numbered = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((each, index) => `${String(index + 1).padStart(6)}\t${each}`)
    .join('\n')

const dots = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `\x1b[32m✓\x1b[0m test/gate-${index + 1}.test.ts \x1b[2m(${index + 3})\x1b[0m`,
  )

/** A repair with reads, a cell, edits, a helper, a failed command, artifacts, and a command that still runs. */
const story: readonly StoryPart[] = [
  line(0, 'text', { content: 'The gate opens too late. First I read what decides about it.' }),
  call('read-sluice', 'Read', { file_path: SLUICE }),
  result(200, 'read-sluice', numbered(before.sluice)),
  call('read-level', 'Read', { file_path: '/mill/src/gate/level.ts' }),
  result(100, 'read-level', numbered(before.level)),
  call('read-config', 'Read', { file_path: '/mill/deploy/gate.conf' }),
  result(60, 'read-config', numbered('gate = 1\nopens = auto\n')),
  call('find', 'Bash', { command: 'rg -n "opensAt" src' }),
  result(
    200,
    'find',
    'src/gate/\x1b[35msluice.ts\x1b[0m:\x1b[32m14\x1b[0m:  const \x1b[1m\x1b[31mopensAt\x1b[0m = 90\nsrc/gate/\x1b[35mlevel.ts\x1b[0m:\x1b[32m3\x1b[0m:  // see \x1b[1m\x1b[31mopensAt\x1b[0m',
  ),
  call('cell', 'python', {
    code: 'levels = [float(each) for each in open("levels.csv")]\nhigh = [each for each in levels if each > 80]\nprint(len(levels), len(high), max(levels))',
  }),
  result(1_400, 'cell', '1440 212 96.4'),
  call('page', 'WebFetch', { url: 'https://example.org/docs/sluice-gates', prompt: 'When should a gate open?' }),
  result(900, 'page', `# Sluice gates\n${'A gate opens before the water is high. '.repeat(120)}`),
  call('report', 'Write', { file_path: '/mill/report.html', content: report }),
  result(60, 'report', 'File created successfully at: /mill/report.html'),
  line(500, 'text', {
    content:
      'The gate opens at 90 cm, and 212 of 1,440 levels are above 80 cm. A helper writes the test; I change the gate.',
  }),
  line(200, 'subagent_start', { agent: 'test-writer', task: 'Write a test for the gate' }),
  call('new-test', 'Write', { file_path: '/mill/test/sluice.test.ts', content: before.test }),
  result(100, 'new-test', 'File created successfully at: /mill/test/sluice.test.ts'),
  call('types', 'Bash', { command: 'npx tsc --noEmit' }),
  result(8_600, 'types', 'no errors'),
  line(200, 'subagent_complete', { agent: 'test-writer', summary: 'wrote test/sluice.test.ts' }),
  line(300, 'text', { content: 'Now the gate itself, and what it reads.' }),
  call('edit-gate', 'Edit', {
    file_path: SLUICE,
    old_string: "  const opensAt = 90\n  gate.setMode('manual')",
    new_string: "  const opensAt = 80\n  gate.setMode('by-level')\n  let lastLevel = readLevel()",
  }),
  result(1_900, 'edit-gate', `The file ${SLUICE} has been updated.`),
  call('edit-turn', 'Edit', {
    file_path: SLUICE,
    old_string: '  // TODO: close again\n',
    new_string:
      '  // The gate closes as slowly as it opens.\n  const beat = setInterval(() => {\n    const level = readLevel()\n    if (level < opensAt) gate.turn(-1)\n    lastLevel = level\n  }, BEAT)\n',
  }),
  result(900, 'edit-turn', `The file ${SLUICE} has been updated.`),
  call('edit-level', 'Edit', {
    file_path: '/mill/src/gate/level.ts',
    old_string: 'return raw',
    new_string: 'return raw / 10',
  }),
  result(300, 'edit-level', 'The file /mill/src/gate/level.ts has been updated.'),
  line(300, 'text', { content: 'The test should fail on the old gate, and does.' }),
  call('test', 'Bash', { command: 'npm test -- sluice' }),
  failure(
    3_100,
    'test',
    'Exit code 1\n\x1b[31m×\x1b[0m opens the gate in time \x1b[2m(2.4 s)\x1b[0m\n  AssertionError: expected 0 to be greater than 3\n  \x1b[2mat test/sluice.test.ts:12:24\x1b[0m',
  ),
  line(200, 'text', { content: 'With the new gate the whole suite runs.' }),
  call('edit-beat', 'Edit', {
    file_path: SLUICE,
    old_string: 'export const STEPS = 8\n',
    new_string: 'export const STEPS = 8\nexport const BEAT = 5_000\n',
  }),
  result(300, 'edit-beat', `The file ${SLUICE} has been updated.`),
  call('suite', 'Bash', { command: 'npm test -- --reporter=verbose' }),
  result(21_000, 'suite', [...dots(19), '', '19 files passed'].join('\n')),
  call('watch', 'Bash', { command: 'npm run watch -- --level' }),
  {
    events: [
      {
        type: 'tool-progress',
        callId: 'watch',
        channel: 'stdout',
        text: '\x1b[32m✓\x1b[0m level 71 cm\n\x1b[32m✓\x1b[0m level 74 cm\n\x1b[2mREADS\x1b[0m level ',
        percent: 65,
      },
    ],
  },
]

/** Plays the story, and ends when it is told to: until then its last command runs. */
export function storyAgent(parts: readonly StoryPart[] = story): { readonly agent: Agent; readonly end: () => void } {
  const ended = Promise.withResolvers<void>()
  const encoder = new TextEncoder()
  return {
    end: ended.resolve,
    agent: {
      name: 'miller',
      title: 'Miller',
      format: 'agent-lines',
      framing: 'json-lines',
      async *run({ signal }, host) {
        signal.addEventListener('abort', () => ended.resolve())
        for (const part of parts) {
          if ('line' in part) yield encoder.encode(`${JSON.stringify(part.line)}\n`)
          else await host.add(part.events)
        }
        await ended.promise
      },
    },
  }
}
