import type { Agent } from './agent.ts'
import { millRepair } from './demo/mill-repair.ts'
import { type ReplayOptions, replay } from './replay.ts'

/** An agent to try everything with: no key, no network, the same each time. */
export function demo(options: Pick<ReplayOptions, 'speed' | 'sleep'> = {}): Agent {
  const { lines, approval } = millRepair
  const bytes = new TextEncoder().encode(lines.map(({ text }) => `${text}\n`).join(''))
  return replay({
    name: 'demo',
    title: 'Demo',
    description: 'Plays a scripted errand: a plan, thoughts, tools, a helper, and one question to you.',
    recording: { bytes, framing: 'json-lines', format: 'agent-lines' },
    pauses: lines.map(({ pause }) => pause),
    approval,
    ...options,
  })
}
