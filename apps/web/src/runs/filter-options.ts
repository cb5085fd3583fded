import { type AgentInfo, type ListedState, type ListedThread, RUN_STATES } from '@millrace/core/client'
import { englishLabels, sourceTitle } from '@millrace/react'
import { costText, durationText } from '../words/numbers.ts'
import type { RunsRoute } from './runs-route.ts'

type FilterField = Exclude<keyof RunsRoute, 'name' | 'text' | 'kind'>

/** One thing that a filter can be set to. */
interface FilterOption {
  readonly value: string | number
  readonly label: string
}

/** A filter: its name while it is not set, what it says when it is, and what it offers. */
export interface Filter {
  readonly field: FilterField
  readonly name: string
  textOf(value: string | number): string
  readonly options: readonly FilterOption[]
}

const DAY_NAMES: { readonly [days: number]: string } = { 1: 'Today', 7: 'Last 7 days', 30: 'Last 30 days' }

/** A list does not tell who has stopped a run, or for whom it was left open. */
const listedTitles: { readonly [State in ListedState]?: string } = { stopped: 'Stopped', 'handed-over': 'Left open' }

const stateTitle = (state: ListedState) => listedTitles[state] ?? englishLabels.threadStatus[state]

/** The filters, in the order of the page. Agents are those of the server and those whose runs are shown. */
export function filtersFor(threads: readonly ListedThread[], agents: readonly AgentInfo[]): readonly Filter[] {
  const sources = new Map(agents.map(({ name, title }) => [name, title]))
  for (const { lastRun } of threads) {
    const name = lastRun?.agent ?? lastRun?.format
    if (lastRun !== undefined && name !== undefined) sources.set(name, sourceTitle(lastRun, agents) ?? name)
  }
  const option = (value: number, label: string) => ({ value, label })
  const withText = (values: readonly number[], textOf: (value: number) => string) =>
    values.map((value) => option(value, textOf(value)))
  const over = (cost: number) => `over ${costText(cost)}`
  const longer = (seconds: number) => `over ${shortDuration(seconds)}`
  const failed = (errors: number) => `${errors} or more`
  return [
    {
      field: 'state',
      name: 'State',
      textOf: (value) => stateTitle(value as ListedState),
      options: RUN_STATES.map((state) => ({ value: state, label: stateTitle(state) })),
    },
    {
      field: 'agent',
      name: 'Agent',
      textOf: (value) => sources.get(String(value)) ?? sourceTitle({ format: String(value) }, agents) ?? String(value),
      options: [...sources].map(([value, label]) => ({ value, label })),
    },
    {
      field: 'minCost',
      name: 'Cost',
      textOf: (value) => `Cost: ${over(Number(value))}`,
      options: withText([0.1, 1, 10], over),
    },
    {
      field: 'minSeconds',
      name: 'Duration',
      textOf: (value) => `Duration: ${longer(Number(value))}`,
      options: withText([30, 300, 3_600], longer),
    },
    {
      field: 'minErrors',
      name: 'Errors',
      textOf: (value) => `Errors: ${failed(Number(value))}`,
      options: withText([1, 5], failed),
    },
    {
      field: 'days',
      name: 'Time',
      textOf: (value) => DAY_NAMES[Number(value)] ?? `Last ${value} days`,
      options: Object.entries(DAY_NAMES).map(([days, label]) => option(Number(days), label)),
    },
  ]
}

/** `30 s`, `5 min`, `1 h`. */
function shortDuration(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  if (seconds % 60 === 0) return `${seconds / 60} min`
  return seconds < 60 ? `${seconds} s` : durationText(seconds * 1_000)
}

/** The saved views, each with the filters that it sets. */
export const VIEWS: readonly { readonly name: string; readonly filter: Omit<RunsRoute, 'name'> }[] = [
  { name: 'All', filter: {} },
  { name: 'Live', filter: { state: 'live' } },
  { name: 'Needs you', filter: { state: 'needs-you' } },
  { name: 'Failed', filter: { state: 'failed' } },
  { name: 'Costly', filter: { minCost: 1 } },
]
