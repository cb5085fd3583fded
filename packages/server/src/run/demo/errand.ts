import { isJsonObject, type Json } from '@millrace/core/json'
import type { ApprovalAnswer, ApprovalRequest } from '../agent.ts'
import { plain } from './quote.ts'
import { added, command, commandOf, done, line, type Step, spoken, thoughts, writtenCall } from './steps.ts'

/** What the demo does for one question. */
export interface Errand {
  readonly steps: readonly Step[]
  /** Asked after the steps, of a person who may change the input of the call. */
  readonly question?: ApprovalRequest
  /** What follows the answer. */
  after(answer: ApprovalAnswer | undefined): readonly Step[]
}

const plan = (pause: number, ...statuses: readonly string[]): Step => {
  const items = ['Test the figures', 'Mend what is wrong', 'Find timber', 'Draw the wheel', 'Write the plan']
  const withStatus = items.map((content, index) => ({ content, status: statuses[index] ?? 'pending' }))
  return line(pause, statuses.length === 1 ? 'todo_create' : 'todo_update', { items: withStatus })
}

const tests = (id: string, isMended: boolean) =>
  command({
    id,
    command: 'node --test wheel/',
    every: 190,
    exitCode: isMended ? 0 : 1,
    prints: [
      '\u001b[32m✔\u001b[39m reads the gauge (3.1 ms)',
      '\u001b[32m✔\u001b[39m counts the paddles (0.6 ms)',
      ...(isMended
        ? ['\u001b[32m✔\u001b[39m gives the power of the wheel (0.4 ms)']
        : [
            '\u001b[31m✖\u001b[39m gives the power of the wheel (1.2 ms)',
            '  AssertionError: expected 7.4 kW, got 11.9 kW',
            '      at wheel/power.test.ts:9:10',
          ]),
      `tests 3  pass ${isMended ? 3 : 2}  fail ${isMended ? 0 : 1}`,
    ],
  })

const source = `// What an undershot wheel gives, in kW.
export function power(flow: number, fall: number): number {
  return (1000 * 9.81 * flow * fall) / 1000
}
`

const [head = '', body = ''] = source.split('\n').slice(1)

const mend = {
  path: 'wheel/power.ts',
  edits: [
    { old_string: head, new_string: `// It wastes the rest.\nconst EFFICIENCY = 0.62\n\n${head}` },
    { old_string: body, new_string: body.replace('fall)', 'fall * EFFICIENCY)') },
  ],
}

const SCOUT = 'timber-scout'

/** A helper with calls of its own. */
const scouting: readonly Step[] = [
  line(300, 'subagent_spawn', {
    subagent_id: SCOUT,
    subagent_type: SCOUT,
    description: 'Find three boards of dry oak, 2.4 m, within a day’s drive',
  }),
  ...commandOf(SCOUT, {
    id: 'call_yards',
    command: 'yards --near "Mill Brook" --wood oak',
    every: 260,
    exitCode: 0,
    prints: [
      'Hollow Lane    12 km   green only',
      'Ashford        31 km   2.4 m, dry',
      'Penny Bridge   44 km   1.8 m, dry',
    ],
  }),
  ...commandOf(SCOUT, {
    id: 'call_price',
    command: 'yards price Ashford --boards 3',
    every: 300,
    exitCode: 0,
    prints: ['3 boards of oak, 2.4 m   420'],
  }),
  line(400, 'subagent_complete', { agent: SCOUT, summary: 'Ashford has three dry boards of 2.4 m, **420** together.' }),
]

const PLAN = {
  path: 'repair-plan.md',
  content: `# Repair of the mill wheel

1. Clear the race
2. Replace paddles 5, 6 and 17 (oak, Ashford)
3. Cast and fit the axle bearing
4. Turn by hand, then let the water in
`,
}

const report = `## The wheel can turn again by spring

Three of the **24 paddles** are rotten and the axle bearing is worn. Nothing else stands in the way.

- Dry oak for the paddles is at Ashford, 31 km away
- The bearing must be cast anew
- The race is cleared *before* the paddles go in

| Part | Count | Cost |
| --- | ---: | ---: |
| Paddles, oak | 3 | 420 |
| Bearing, iron | 1 | 300 |
| Work, in days | 6 | 1,080 |

What it gives afterwards:

\`\`\`python
flow, fall, efficiency = 0.42, 2.9, 0.62   # m³/s, m, undershot
print(f"{9.81 * flow * fall * efficiency:.1f} kW")   # 7.4 kW
\`\`\`
`

const usage = { input_tokens: 5200, output_tokens: 910, cache_read_input_tokens: 3100 }

const ending = (text: string): readonly Step[] => [
  plan(200, 'completed', 'completed', 'completed', 'completed', 'completed'),
  ...spoken(text),
  line(200, 'result', {
    session_id: 'demo-mill',
    duration_ms: 24_000,
    num_turns: 7,
    total_cost_usd: 0.031,
    usage,
  }),
  done,
]

/** All that an agent can show in one errand. `opening` answers to what was asked. */
export function repair(opening: string, picture: string): Errand {
  return {
    steps: [
      line(250, 'start', { model: 'demo-1' }),
      line(350, 'status', { message: 'Reading the question' }),
      line(550, 'status', { message: 'Opening the survey of the mill' }),
      ...thoughts(
        'The wheel has stood still for eleven years; the wood will be the trouble.',
        'First the figures: a wrong one would spoil the whole plan.',
      ),
      ...spoken(opening),
      plan(300, 'in_progress'),
      ...tests('call_test', false),
      line(400, 'tool_use', { id: 'call_read', name: 'read_file', input: { path: mend.path } }),
      line(350, 'tool_result', { tool_use_id: 'call_read', content: source }),
      ...thoughts('11.9 kW is the water itself. The wheel wastes a good third of it.'),
      ...writtenCall('call_mend', 'edit_file', mend),
      line(300, 'tool_result', { tool_use_id: 'call_mend', content: `Changed ${mend.path}` }),
      plan(200, 'completed', 'in_progress'),
      ...tests('call_again', true),
      plan(200, 'completed', 'completed', 'in_progress'),
      ...spoken('The figures are right now: 7.4 kW. Next the wood. '),
      line(300, 'search', { id: 'call_search', query: 'undershot wheel paddle oak thickness' }),
      line(900, 'search_result', {
        count: 2,
        results: [
          { title: 'Paddles of undershot wheels', url: 'https://mills.example/undershot/paddles' },
          { title: 'Oak in running water', url: 'https://timber.example/oak/wet' },
        ],
      }),
      ...scouting,
      plan(200, 'completed', 'completed', 'completed', 'in_progress'),
      line(350, 'tool_use', {
        id: 'call_draw',
        name: 'draw_wheel',
        input: { path: 'wheel.png', paddles: 24, rotten: [5, 6, 17] },
      }),
      added(700, { type: 'file', fileId: 'wheel', mediaType: 'image/png', filename: 'wheel.png', bytes: picture }),
      line(100, 'tool_result', {
        tool_use_id: 'call_draw',
        content: 'Drew wheel.png: the three rotten paddles are red',
      }),
      plan(200, 'completed', 'completed', 'completed', 'completed', 'in_progress'),
      ...writtenCall('call_plan', 'write_file', PLAN),
    ],
    question: { callId: 'call_plan', message: `May I write ${PLAN.path} into the project?` },
    after: (answer) => (answer?.state === 'approved' ? written(answer.input) : refused(answer)),
  }
}

/** The person may have changed the file before approving it. */
function written(changed: Json | undefined): readonly Step[] {
  const { path, content } = { ...PLAN, ...(isJsonObject(changed) ? changed : {}) }
  const lines = String(content).trimEnd().split('\n').length
  return [
    line(500, 'tool_result', { tool_use_id: 'call_plan', content: `Wrote ${lines} lines to ${path}` }),
    ...ending(`${report}\nThe plan is in ${plain(String(path))}.\n`),
  ]
}

function refused(answer: ApprovalAnswer | undefined): readonly Step[] {
  const words = answer?.state === 'denied' && answer.message ? `: ${answer.message}` : '.'
  return [
    added(300, { type: 'tool-output', callId: 'call_plan', status: 'denied', output: `The person refused it${words}` }),
    ...ending(`${report}\nThe plan stays in this thread: as you decided, nothing was written.\n`),
  ]
}
