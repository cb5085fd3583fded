import type { UsageCounts } from '@millrace/core/events'
import { type ChatEvent, partDurationOf, type RunTotals } from '@millrace/core/fold'
import { runsOf, type Turn } from './thread-turns.ts'

/** What a turn used: the line below it, and its steps. */
export interface TurnFacts {
  /** In the order in which they answered. */
  readonly models: readonly string[]
  readonly usage: UsageCounts
  readonly durationMs?: number
  /** Those with counts. */
  readonly steps: readonly StepFacts[]
}

export interface StepFacts {
  readonly key: string
  /** The step's own name, if it has one. */
  readonly name?: string
  /** The step's own number, else its position in the turn. */
  readonly number: number
  readonly model?: string
  readonly usage: UsageCounts
}

/** The totals of runs, by id: a framework may report the cost of a run and not of its messages. */
export type TotalsByRun = ReadonlyMap<string, Pick<RunTotals, 'usage' | 'startedAt' | 'endedAt'>>

export function factsOfTurn(turn: Turn, totals: TotalsByRun): TurnFacts {
  const answers = turn.events.filter(({ role }) => role !== 'user')
  const runs = runsOf(turn).map((runId) => factsOfRun(turn, runId, totals))
  const durationMs = sumOf(runs.map((run) => run.durationMs))
  return {
    models: [...new Set(answers.flatMap(({ model }) => model ?? []))],
    usage: sumOfUsage(runs.map(({ usage }) => usage)),
    ...(durationMs !== undefined && { durationMs }),
    steps: stepsOf(answers),
  }
}

interface RunFacts {
  readonly usage: UsageCounts
  readonly durationMs: number | undefined
}

/** A run that lies in this turn as a whole is counted by its own totals, any other by its messages in this turn. */
function factsOfRun(turn: Turn, runId: string, totals: TotalsByRun): RunFacts {
  const own = turn.events.filter((event) => event.runId === runId && event.role !== 'user')
  const isBegun = turn.continuesRun && turn.events[0]?.runId === runId
  const isUnfinished = turn.runGoesOn && turn.events.at(-1)?.runId === runId
  const run = isBegun || isUnfinished ? undefined : totals.get(runId)
  const usage = run?.usage ?? sumOfUsage(own.flatMap((event) => event.usage ?? []))
  const [startedAt, endedAt] = [run?.startedAt ?? own[0]?.startedAt, run?.endedAt ?? own.at(-1)?.endedAt]
  const extent = { ...(startedAt !== undefined && { startedAt }), ...(endedAt !== undefined && { endedAt }) }
  return { usage, durationMs: partDurationOf({ ...extent, usage }) }
}

/** Without steps, each message with counts is one call of the model. */
function stepsOf(answers: readonly ChatEvent[]): readonly StepFacts[] {
  const steps = answers.flatMap(({ id, model, steps: ranges = [], usage }) => {
    const ofModel = model === undefined ? {} : { model }
    if (ranges.length === 0) return usage === undefined ? [] : [{ key: id, usage, ...ofModel }]
    return ranges.flatMap(({ seqs, name, number, usage: used }) => {
      if (used === undefined) return []
      const own = { ...(name !== undefined && { name }), ...(number !== undefined && { number }) }
      return [{ key: `${id} ${seqs[0]}`, usage: used, ...own, ...ofModel }]
    })
  })
  return steps.map((step, index) => ({ number: index + 1, ...step }))
}

function sumOfUsage(all: readonly UsageCounts[]): UsageCounts {
  const total: { -readonly [Field in keyof UsageCounts]: number } = {}
  for (const counts of all) {
    for (const [field, count] of Object.entries(counts) as [keyof UsageCounts, number][]) {
      total[field] = (total[field] ?? 0) + count
    }
  }
  return total
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const reported = values.filter((value) => value !== undefined)
  return reported.length === 0 ? undefined : reported.reduce((sum, value) => sum + value, 0)
}
