import type { UsageCounts } from '../event-fields.ts'
import { isText, type JsonObject } from '../json.ts'
import type { ChatEvent, RunSnapshot } from './shapes.ts'
import { leavesOf, toolsIn } from './subagent-walk.ts'
import { threadTitleOf } from './thread-title.ts'

/** An ended run in a few numbers: what a list of runs shows without folding any of them. */
export interface RunDigest {
  /** What its thread is called if nobody has given it a title. */
  readonly title?: string
  /** The file that it was read from. */
  readonly file?: string
  readonly model?: string
  /** Steps of the main agent, or its messages if its stream has no steps. */
  readonly steps: number
  /** The first entry of each step, at most `MOST_STEP_STARTS` of them: a place in the run is named by its step. */
  readonly stepStarts?: readonly number[]
  readonly tools: number
  /** Calls that have failed, and errors that the run reports. */
  readonly errors: number
  /** The first line of the error that ended it. */
  readonly error?: string
  readonly usage?: UsageCounts
  /** By the run's own clock. */
  readonly startedAt?: number
  readonly endedAt?: number
}

const LONGEST_ERROR = 200
const MOST_STEP_STARTS = 2_000

export function runDigestOf({ chatEvents, error, usage, metadata, startedAt, endedAt }: RunSnapshot): RunDigest {
  const events = chatEvents.filter(({ state }) => state !== 'retracted')
  const calls = events.flatMap(({ segments }) => toolsIn(segments))
  const problems = events.flatMap(({ segments }) => leavesOf(segments)).filter(({ type }) => type === 'error')
  const failed = calls.filter(({ state }) => state === 'failed').length + problems.length
  const title = threadTitleOf(events, textIn(metadata, 'cwd'))
  const [file, model] = [textIn(metadata, FILE), textIn(metadata, 'model')]
  const starts = stepStartsOf(events)
  const message = error?.message.trim().split('\n')[0]?.slice(0, LONGEST_ERROR).toWellFormed()
  return {
    ...(title !== undefined && { title: title.toWellFormed() }),
    ...(file !== undefined && { file }),
    ...(model !== undefined && { model }),
    steps: starts.length,
    ...(starts.length > 0 && { stepStarts: starts.slice(0, MOST_STEP_STARTS) }),
    tools: calls.length,
    errors: error !== undefined && failed === 0 ? 1 : failed,
    ...(message !== undefined && { error: message }),
    ...(usage !== undefined && { usage }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  }
}

/** The key of a run's metadata under which stands the name of the file that it was read from. */
export const FILE = 'file'

function stepStartsOf(events: readonly ChatEvent[]): readonly number[] {
  const answers = events.filter(({ role }) => role === 'assistant')
  const steps = answers.flatMap(({ steps: own = [] }) => own)
  return (steps.length === 0 ? answers : steps).map(({ seqs }) => seqs[0])
}

/** The step in which an entry stands, counted from 1; 0 before the first. Undefined if the digest does not say it. */
export function stepAt(
  { stepStarts, steps }: Pick<RunDigest, 'stepStarts' | 'steps'>,
  seq: number,
): number | undefined {
  if (stepStarts === undefined) return undefined
  const step = stepStarts.findLastIndex((start) => start <= seq) + 1
  return step === stepStarts.length && step < steps ? undefined : step
}

function textIn(metadata: JsonObject | undefined, key: string): string | undefined {
  const value = metadata?.[key]
  return isText(value) && value !== '' ? value : undefined
}
