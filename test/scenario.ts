import type { RunSnapshot, Segment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import type { Losses } from '@millrace/core/losses'

/** What a person sees of a segment, without ids and times. */
type Seen =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly tool: string; readonly input: unknown; readonly output?: string; readonly failed?: boolean }
  | { readonly todos: readonly string[] }
  | { readonly subagent: string; readonly task?: string; readonly inside?: readonly Seen[] }

export interface Picture {
  readonly seen: readonly Seen[]
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number }
  readonly outcome?: string
}

const thought = { reasoning: 'Short and plain.' }
const harbour = 'Millport'

/** Without subagents, the step that calls one is left out. */
const usage = {
  whole: { inputTokens: 640, outputTokens: 70 },
  withoutSubagent: { inputTokens: 460, outputTokens: 55 },
}

/** The scenario that every `fixtures/FORMAT/scenario.*` plays. */
const scenario = {
  reasoning: { reasoning: 'Tide and wind decide. I ask for both.' },
  text: { text: 'I look at the tide and the wind.' },
  tide: { tool: 'get_tide', input: { harbour, days: 2 }, output: 'High water at 06:12 and 18:40.', failed: false },
  wind: { tool: 'get_wind', input: { harbour }, output: 'The wind gauge is offline.', failed: true },
  todos: { todos: ['completed: Read the tide', 'in_progress: Ask the pilot', 'pending: Write the answer'] },
  subagent: { subagent: 'pilot', task: 'When is slack water?', inside: [{ text: 'Slack water is at 06:40.' }] },
  answer: { text: 'Leave at 06:40. In the log it reads:\n\n```html\n<think>no thought</think>\n```\n' },
} as const

const hasNoOutputs = (losses: Losses) =>
  losses['tool-output'] !== undefined || losses['agent-tool-output'] !== undefined

/** The scenario without what a format declares as lost. */
export function pictureWithout(losses: Losses): Picture {
  const isLost = (feature: keyof Losses) => losses[feature] !== undefined
  const called = ({ tool, input, output, failed }: typeof scenario.tide | typeof scenario.wind): Seen =>
    hasNoOutputs(losses) ? { tool, input } : { tool, input, output, failed }
  const { subagent, task, inside } = scenario.subagent
  return {
    seen: [
      ...(isLost('reasoning') ? [] : [scenario.reasoning]),
      scenario.text,
      ...(isLost('tool-calls') ? [] : [called(scenario.tide), called(scenario.wind), scenario.todos]),
      ...(isLost('subagents') ? [] : [{ subagent, task, inside: isLost('subagent-content') ? [] : inside }]),
      thought,
      scenario.answer,
    ],
    ...(isLost('usage') ? {} : { usage: isLost('subagents') ? usage.withoutSubagent : usage.whole }),
    outcome: 'success',
  }
}

/** The picture of a run: the assistant's segments, without those that are shown as another one. */
export function pictureOf({ chatEvents, usage: usageTotal, outcome }: RunSnapshot, losses: Losses): Picture {
  const assistant = chatEvents.filter(({ role, state }) => role === 'assistant' && state !== 'retracted')
  const { inputTokens, outputTokens } = usageTotal ?? {}
  return {
    seen: assistant.flatMap(({ segments }) => segments.flatMap((segment) => seenOf(segment, losses))),
    ...(usageTotal === undefined ? {} : { usage: { inputTokens, outputTokens } as NonNullable<Picture['usage']> }),
    ...(outcome !== undefined && { outcome }),
  }
}

function seenOf(segment: Segment, losses: Losses): Seen[] {
  if (segment.type === 'text') return segment.text.trim() === '' ? [] : [{ text: segment.text }]
  if (segment.type === 'reasoning') return segment.text === '' ? [] : [{ reasoning: segment.text.trimEnd() }]
  if (segment.type === 'todos') return [{ todos: segment.items.map(({ status, content }) => `${status}: ${content}`) }]
  if (segment.type === 'subagent') {
    const { name, task, segments } = segment
    const inside = segments.flatMap((each) => seenOf(each, losses))
    return [{ subagent: name, ...(task !== undefined && { task }), inside }]
  }
  if (segment.type !== 'tool' || segment.shownAs !== undefined) return []
  const { name: tool, input, output, error, state } = segment
  if (hasNoOutputs(losses)) return [{ tool, input }]
  return [{ tool, input, output: error ?? wordsOf(output), failed: state === 'failed' }]
}

/** The text of an output: some frameworks wrap it in blocks or in an object of one field. */
function wordsOf(output: Json | undefined): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map(wordsOf).join('')
  if (typeof output !== 'object' || output === null) return JSON.stringify(output) ?? ''
  const { type: _, ...fields } = output as { readonly [field: string]: Json }
  const words = Object.values(fields).filter((value) => typeof value === 'string' || Array.isArray(value))
  return words.length === 1 ? wordsOf(words[0]) : JSON.stringify(output)
}
