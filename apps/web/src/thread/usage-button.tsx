import type { RunInfo } from '@millrace/core/client'
import type { UsageCounts } from '@millrace/core/events'
import type { ChatEvent } from '@millrace/core/fold'
import { useNow } from '@millrace/react'
import { Popover } from '../popover.tsx'
import type { Totals } from '../threads/totals.ts'
import { costText, countText, durationText, secondsText } from '../words/numbers.ts'
import { preciseCost, usageRows } from './usage-rows.ts'
import '../styles/usage.css'

const SECOND = 1_000

interface UsageButtonProps {
  readonly totals: Totals
  readonly runs: readonly RunInfo[]
  readonly events: readonly ChatEvent[]
}

/** Tokens, cost and time of what is shown; it opens the same by model, and what of it was cached. */
export function UsageButton({ totals, runs, events }: UsageButtonProps) {
  const { inputTokens, outputTokens, costUsd } = totals
  if (inputTokens === undefined && outputTokens === undefined && costUsd === undefined) return <Meter {...totals} />
  return (
    <Popover
      label="Usage"
      className="meter-button"
      title="Usage by model"
      command="usage"
      button={<Meter {...totals} />}
    >
      {() => <Usage runs={runs} events={events} />}
    </Popover>
  )
}

function Meter({ inputTokens, outputTokens, costUsd, durationMs, liveSince }: Totals) {
  const now = useNow(SECOND)
  const time = liveSince === undefined ? durationMs : (durationMs ?? 0) + Math.max(0, now - liveSince)
  return (
    <span className="meter">
      {inputTokens !== undefined && (
        <Fact value={countText(inputTokens)} unit="in" title="Tokens read" className="tokens" />
      )}
      {outputTokens !== undefined && (
        <Fact value={countText(outputTokens)} unit="out" title="Tokens written" className="tokens" />
      )}
      {costUsd !== undefined && <Fact value={costText(costUsd)} title="Cost" />}
      {time !== undefined && (
        <Fact value={liveSince === undefined ? durationText(time) : secondsText(time)} title="Time" />
      )}
    </span>
  )
}

interface FactProps {
  readonly value: string
  readonly unit?: string
  readonly title: string
  readonly className?: string
}

function Fact({ value, unit, title, className }: FactProps) {
  return (
    <span title={title} className={className}>
      <b>{value}</b>
      {unit !== undefined && ` ${unit}`}
    </span>
  )
}

const COLUMNS = [
  ['inputTokens', 'Input'],
  ['cacheReadTokens', 'Cached'],
  ['outputTokens', 'Output'],
  ['costUsd', 'Cost'],
] as const satisfies readonly (readonly [keyof UsageCounts, string])[]

function Usage({ runs, events }: Omit<UsageButtonProps, 'totals'>) {
  const { rows, total, calls } = usageRows(runs, events)
  const columns = COLUMNS.filter(([field]) => total[field] !== undefined)
  const { reasoningTokens } = total
  return (
    <div className="usage">
      <h2>Usage of this thread</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="mr-unseen">Model</span>
            </th>
            {columns.map(([field, title]) => (
              <th key={field} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, usage }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {columns.map(([field]) => (
                <td key={field}>{cellText(field, usage)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{calls === 0 ? 'All of it' : `${calls} model ${calls === 1 ? 'call' : 'calls'}`}</th>
            {columns.map(([field]) => (
              <td key={field}>{cellText(field, total)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
      <p>
        {total.costUsd === undefined ? 'No cost was reported.' : 'Cost as reported by the agent.'}
        {reasoningTokens !== undefined && ` Thinking is ${countText(reasoningTokens)} of the output.`}
      </p>
    </div>
  )
}

function cellText(field: keyof UsageCounts, usage: UsageCounts): string {
  const count = usage[field]
  if (count === undefined) return '–'
  return field === 'costUsd' ? preciseCost(count) : countText(count)
}
