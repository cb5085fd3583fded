import type { Json } from '@millrace/core/json'
import type { Agent } from './agent.ts'
import { type ReplayOptions, replayAgent } from './replay-agent.ts'

/** An agent for a first try: it needs no key and no network, and every run is the same. */
export function demo(options: Pick<ReplayOptions, 'speed' | 'sleep'> = {}): Agent {
  const { lines, approval } = millRepair
  const bytes = new TextEncoder().encode(lines.map(({ text }) => `${text}\n`).join(''))
  return replayAgent({
    name: 'demo',
    title: 'Demo',
    description: 'Plays a scripted errand: a plan, thoughts, tools, a helper, and one question to you.',
    recording: { bytes, framing: 'json-lines', format: 'agent-lines' },
    pauses: lines.map(({ pause }) => pause),
    approval,
    ...options,
  })
}

/** One printed line and the pause before it, in ms. */
interface ScriptLine {
  readonly pause: number
  readonly text: string
}

function line(pause: number, type: string, data: { readonly [field: string]: Json }): ScriptLine {
  return { pause, text: JSON.stringify({ type, data }) }
}

/** Text as a model streams it: one word at a time, with a longer pause after a line. */
function spoken(text: string): readonly ScriptLine[] {
  const words = text.match(/\S+\s*/g) ?? []
  return words.map((content, index) => {
    const linePause = content.includes('\n') ? 110 : 0
    return line(55 + ((index * 37) % 60) + linePause, 'text', { content })
  })
}

/** One line per thought, at reading speed. */
function thought(...thoughts: readonly string[]): readonly ScriptLine[] {
  return thoughts.map((content) => line(500 + content.length * 14, 'thinking', { content }))
}

const plan = (...statuses: readonly string[]) => ({
  items: ['Measure the wheel', 'Find timber', 'Price the iron', 'Write the plan'].map((content, index) => ({
    content,
    status: statuses[index] ?? 'pending',
  })),
})

const report = `## The wheel can turn again by spring

Three of the **24 paddles** are rotten and the axle bearing is worn. Nothing else stands in the way.

- Oak for the paddles is cut and dry, two valleys away
- The bearing must be cast; the foundry did not answer
- The race should be cleared *before* the paddles go in

| Part | Count | Cost |
| --- | ---: | ---: |
| Paddles, oak | 3 | 420 |
| Bearing, iron | 1 | about 300 |
| Work, in days | 6 | 1,080 |

What the wheel gives afterwards, from the gauge's flow and fall:

\`\`\`python
flow, fall, efficiency = 0.42, 2.9, 0.62   # m³/s, m, undershot
power = 1000 * 9.81 * flow * fall * efficiency
print(f"{power / 1000:.1f} kW")            # 7.4 kW
\`\`\`

The plan is in \`repair-plan.md\`. Ask the foundry again before you order anything.
`

const opening: readonly ScriptLine[] = [
  line(300, 'start', { model: 'demo-1', prompt_preview: 'Can the old mill wheel be repaired?' }),
  line(700, 'status', { message: 'Reading the survey of the mill' }),
  line(1100, 'status', { message: 'Opening the photographs' }),
  ...thought(
    'The wheel has stood still for eleven years; the wood will be the trouble.',
    'Without the flow of the stream nobody can say what it would give.',
  ),
  line(900, 'todo_create', plan('in_progress')),
  ...spoken('I begin with the wheel itself and the water that drives it. '),
  line(900, 'tool_use', { id: 'call_gauge', name: 'read_gauge', input: { stream: 'Mill Brook', days: 30 } }),
  line(2600, 'tool_result', { tool_use_id: 'call_gauge', content: 'Mean flow 0.42 m³/s, fall 2.9 m, no dry day.' }),
  line(700, 'todo_update', plan('completed', 'in_progress')),
]

const errands: readonly ScriptLine[] = [
  line(800, 'subagent_start', { agent: 'timber-scout', task: 'Find three boards of dry oak, 2.4 m' }),
  line(1300, 'status', { message: 'Two sawmills are within reach' }),
  line(3200, 'subagent_complete', { agent: 'timber-scout', summary: 'The sawmill at Ashford has them, 140 each.' }),
  line(500, 'todo_update', plan('completed', 'completed', 'in_progress')),
  ...thought('A cast bearing is nothing one finds in a shop.'),
  line(700, 'tool_use', { id: 'call_foundry', name: 'ask_price', input: { foundry: 'Hollow Lane', part: 'bearing' } }),
  line(3000, 'tool_result', {
    tool_use_id: 'call_foundry',
    is_error: true,
    content: 'The foundry did not answer within 30 s.',
  }),
  line(900, 'warning', { message: 'Going on with an estimate for the iron' }),
  line(600, 'todo_update', plan('completed', 'completed', 'cancelled', 'in_progress')),
  ...thought('Eight kilograms of iron, cast once: about three hundred.'),
  line(900, 'tool_use', {
    id: 'call_plan',
    name: 'write_file',
    input: { path: 'repair-plan.md', lines: 64 },
  }),
]

const closing: readonly ScriptLine[] = [
  line(1200, 'tool_result', { tool_use_id: 'call_plan', content: 'Wrote 64 lines to repair-plan.md' }),
  line(500, 'todo_update', plan('completed', 'completed', 'cancelled', 'completed')),
  ...spoken(report),
  line(300, 'usage', { input_tokens: 5200, output_tokens: 910, reasoning_tokens: 140, cached_tokens: 3100 }),
  line(200, 'result', {
    session_id: 'demo-mill',
    duration_ms: 45_000,
    num_turns: 5,
    total_cost_usd: 0.031,
    usage: { input_tokens: 5200, output_tokens: 910, cache_read_input_tokens: 3100 },
  }),
  line(100, 'done', {}),
]

/** All that an agent can show in one task: a plan, thoughts, tools, one that fails, a subagent, prose. */
export const millRepair = {
  lines: [...opening, ...errands, ...closing],
  /** The person is asked before the file is written. */
  approval: {
    afterRecord: opening.length + errands.length,
    callId: 'call_plan',
    message: 'May I write repair-plan.md into the project?',
    ifDenied: [
      line(0, 'tool_result', { tool_use_id: 'call_plan', is_error: true, content: 'Nobody allowed the file.' }),
      ...spoken('Then the plan stays with me; nothing was written.'),
      line(0, 'done', {}),
    ].map(({ text }) => text),
  },
} as const
