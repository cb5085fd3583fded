import type { LastRun, RunInfo } from '@millrace/core/api'
import { present } from '@millrace/core/json'
import { z } from 'zod'
import { parseCursor } from '../deliver/cursor.ts'
import type { StoredRun } from '../log/log.ts'
import { statusOf } from '../run/run-status.ts'

/** Ids that clients may choose. They appear in paths, so they contain no character with a meaning there. */
export const idShape = z
  .string()
  .regex(/^[\w:.@~+-]{1,200}$/, 'an id has 1 to 200 letters, digits or any of _ : . @ ~ + -')
  .refine((id) => id !== '.' && id !== '..', 'an id is not a path')

export const wireShape = z.object({
  wire: z.string().max(100).default('native'),
  profile: z.string().max(100).optional(),
  after: z.string().max(100).optional(),
})

export const cursorShape = z.string().transform((text, issues) => {
  const cursor = parseCursor(text)
  if (cursor !== undefined) return cursor
  issues.addIssue('A cursor is the number of an entry, such as 12, or of a chunk of it, such as 12.0.')
  return z.NEVER
})

/** A number in a query. */
export const countShape = (most: number) => z.coerce.number().int().min(0).max(most)

export const titleShape = z.string().max(500)

export const fileShape = z.object({
  id: z.string().max(100),
  mediaType: z.string().max(200).optional(),
  filename: z.string().max(500).optional(),
})

const outputShape = z.object({
  callId: z.string().max(1_000),
  output: z.json().optional(),
  error: z.string().optional(),
})

/** The input of a run: a text, or a text with files that were uploaded before, or outputs of tools that the client ran. */
export const inputShape = z.union([
  z.string().transform((text) => ({ text, files: [], toolOutputs: [] })),
  z.object({
    text: z.string().default(''),
    files: z.array(fileShape).max(100).default([]),
    toolOutputs: z.array(outputShape).max(1_000).default([]),
  }),
])

/** A run as the API shows it. */
export function runView(run: StoredRun): RunInfo {
  const {
    parserVersion: _parser,
    readerVersion: _reader,
    owner: _owner,
    epoch: _epoch,
    waitUntil: _wait,
    digest: _digest,
    ...shown
  } = run
  return { ...shown, state: 'ended', ...statusOf(run) }
}

/** A thread's last run as the list of threads shows it: without the places of its steps, which may be thousands. */
export function lastRunView(run: StoredRun, asks: boolean): LastRun {
  const { state } = statusOf(run) ?? { state: 'ended' as const }
  const { id, outcome, format, agent, seq, createdAt, endedAt } = run
  const { stepStarts: _starts, ...digest } = run.digest ?? { steps: 0, tools: 0, errors: 0 }
  return present({ id, state, outcome, format, agent, seq, createdAt, endedAt, asks, digest: run.digest && digest })
}
