import type { StreamEvent } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import type { Losses } from '@millrace/core/losses'
import { dispatch, type Handlers, type Parser, type Recognition, SILENT } from '@millrace/core/parse'
import type { RawRecord } from '@millrace/core/source'

/** The lines that the agent prints, as its documentation describes them. */
type Line =
  | { type: 'job'; agent: string; model: string }
  | { type: 'say'; paragraph: number; piece: string }
  | { type: 'said'; paragraph: number }
  | { type: 'use'; ref: string; tool: string; with: Json }
  | { type: 'used'; ref: string; gave?: Json; failed?: string }
  | { type: 'spent'; read: number; wrote: number }
  | { type: 'beat' }
  | { type: 'over'; how: 'done' | 'gave-up'; why?: string }

/** What the format cannot express. The suite fails if a recording carries one of these. */
const losses: Losses = {
  reasoning: 'The agent prints no thoughts.',
  'tool-input-stream': 'An input is printed whole.',
  approvals: 'The agent asks nobody.',
  subagents: 'The agent works alone.',
}

/** One row per type of line: it does not compile if one is missing. */
const lines: Handlers<Line> = {
  job: ({ agent, model }) => [{ type: 'run-start', agent, model }],
  say: ({ paragraph, piece }) => [{ type: 'block-delta', blockId: `paragraph-${paragraph}`, text: piece }],
  said: ({ paragraph }) => [{ type: 'block-end', blockId: `paragraph-${paragraph}` }],
  use: ({ ref, tool, with: input }) => [
    { type: 'tool-start', callId: ref, name: tool, runBy: 'agent' },
    { type: 'tool-input', callId: ref, input },
  ],
  used: (line) => [outputOf(line)],
  spent: ({ read, wrote }) => [
    { type: 'usage', scope: 'run', mode: 'snapshot', inputTokens: read, outputTokens: wrote },
  ],
  // Understood, and nothing to show.
  beat: () => SILENT,
  over: ({ how, why }) => [
    how === 'done'
      ? { type: 'run-end', outcome: 'success' }
      : { type: 'run-end', outcome: 'error', error: { message: why ?? 'The agent gave up.' } },
  ],
}

function outputOf({ ref, gave, failed }: Extract<Line, { type: 'used' }>): StreamEvent {
  if (failed === undefined) return { type: 'tool-output', callId: ref, status: 'ok', output: gave ?? null }
  return { type: 'tool-output', callId: ref, status: 'error', output: null, error: failed }
}

/** By these types and fields together a line is told from those of all other formats. */
const signs = new Map<unknown, string>([
  ['job', 'agent'],
  ['say', 'paragraph'],
  ['said', 'paragraph'],
  ['use', 'tool'],
  ['used', 'ref'],
])

function recognize({ value }: RawRecord): Recognition | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  const field = signs.get(value.type)
  return field !== undefined && field in value ? { certainty: 1, reason: `a line "${value.type}"` } : undefined
}

/** Reads the lines of an agent of one's own. `push` looks a line up; `normalize` opens and closes what is missing. */
export const toolshed: Parser = {
  version: 1,
  losses,
  recognize,
  create: () => ({ push: dispatch(lines), end: () => [] }),
}
