import { attemptsOf } from '@millrace/core/api'
import type { RunInfo } from '@millrace/core/client'
import { type ChatEvent, runDurationOf, type Segment } from '@millrace/core/fold'
import { englishLabels, threadStatusOf } from '@millrace/react'
import { costText, durationText } from '../words/numbers.ts'

/** One of several runs that continue the same one. */
export interface Attempt {
  readonly runId: string
  readonly title: string
  /** Model, outcome, time and cost, as far as they are reported. */
  readonly facts: string
  readonly startedAt: number | undefined
  readonly isShown: boolean
}

export interface AttemptSources {
  readonly runs: readonly RunInfo[]
  /** The runs that are shown, oldest first. */
  readonly path: readonly RunInfo[]
  readonly eventsOf: (runId: string) => readonly ChatEvent[]
  readonly agentTitle: (name: string | undefined) => string | undefined
}

/** The last run of the path that has other attempts beside it. */
export function lastFork({ runs, path }: Pick<AttemptSources, 'runs' | 'path'>): string | undefined {
  return path.findLast(({ id }) => attemptsOf(runs, id).length > 1)?.id
}

/** The attempts beside this run, oldest first; none if it is the only one. */
export function attemptsAt(runId: string, sources: AttemptSources): readonly Attempt[] {
  const { runs, path, eventsOf } = sources
  const attempts = attemptsOf(runs, runId)
  const [first] = attempts
  if (first === undefined || attempts.length < 2) return []
  const shown = new Set(path.map(({ id }) => id))
  const question = questionOf(eventsOf(first.id))
  return attempts.map((run, index) => ({
    runId: run.id,
    title: titleOf(index, question, questionOf(eventsOf(run.id))),
    facts: factsOf(run, first, sources),
    startedAt: run.startedAt ?? run.createdAt,
    isShown: shown.has(run.id),
  }))
}

const LONGEST = 60

function titleOf(index: number, first: string, own: string): string {
  if (index === 0) return 'First answer'
  if (own === first) return 'Regenerated'
  return `Edited: “${own.length > LONGEST ? `${own.slice(0, LONGEST)}…` : own}”`
}

function factsOf(run: RunInfo, first: RunInfo, { eventsOf, agentTitle }: AttemptSources): string {
  const events = eventsOf(run.id)
  const status = threadStatusOf(run, run.asks ?? false)
  const steps = events.flatMap(({ steps: ranges = [] }) => ranges).length
  const duration = runDurationOf(run)
  const cost = run.usage?.costUsd
  const outcome = status === 'done' ? [] : [outcomeText(englishLabels.threadStatus[status], status, steps)]
  return [
    ...(run.agent === first.agent ? [] : [agentTitle(run.agent)]),
    events.find(({ model }) => model !== undefined)?.model,
    ...outcome,
    duration === undefined ? undefined : durationText(duration),
    cost === undefined ? undefined : costText(cost),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ')
}

function outcomeText(words: string, status: string, steps: number): string {
  const isCut = status === 'failed' || status === 'interrupted' || status === 'stopped'
  const lower = words.toLowerCase()
  return isCut && steps > 0 ? `${lower} at step ${steps}` : lower
}

/** What the user asked in a run. */
const questionOf = (events: readonly ChatEvent[]): string =>
  events
    .filter(({ role }) => role === 'user')
    .slice(0, 1)
    .map(({ segments }) => textOf(segments))
    .join('')

/** The texts among segments, as they were written. */
export const textOf = (segments: readonly Segment[]): string =>
  segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join('\n\n')
