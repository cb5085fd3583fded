import type { UsageCounts } from '@millrace/core/events'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { durationText } from './durations.ts'
import { Icon } from './icon.tsx'
import type { Labels } from './labels.ts'
import { costText, numberText, shortCount } from './numbers.ts'
import type { Turn } from './thread-turns.ts'
import { factsOfTurn, type StepFacts, type TotalsByRun, type TurnFacts } from './turn-facts.ts'
import { useDisclosure } from './use-disclosure.ts'
import { useViewContext } from './view-context.ts'

const Totals = createContext<TotalsByRun>(new Map())

/** What each run used as a whole. Only feet are drawn again when it changes. */
export const TotalsProvider = Totals.Provider

interface TurnFootProps {
  readonly turn: Turn
  readonly actions: ReactNode
}

/** The models, tokens, cost and time of a turn that has ended, as far as they are known; its steps on demand. */
export function TurnFoot({ turn, actions }: TurnFootProps) {
  const { labels } = useViewContext()
  const totals = useContext(Totals)
  const found = useMemo(() => factsOfTurn(turn, totals), [turn, totals])
  const disclosure = useDisclosure(`foot ${turn.id}`, false)
  const texts = textsOf(found, labels)
  const hasSteps = found.steps.length > 1
  if (texts.length === 0 && actions === undefined) return undefined
  const facts = texts.map((text) => <span key={text}>{text}</span>)
  return (
    <footer className="mr-foot">
      {hasSteps ? (
        <button
          type="button"
          className="mr-foot-facts"
          aria-expanded={disclosure.isOpen}
          title={labels.usageBySteps}
          onClick={disclosure.toggle}
        >
          {facts}
          <Icon name="chevron" className="mr-chevron" />
        </button>
      ) : (
        facts.length > 0 && <span className="mr-foot-facts">{facts}</span>
      )}
      {actions !== undefined && <span className="mr-foot-actions">{actions}</span>}
      {hasSteps && disclosure.isOpen && <Steps steps={found.steps} />}
    </footer>
  )
}

function textsOf({ models, usage, durationMs }: TurnFacts, labels: Labels): readonly string[] {
  const used = usageTexts(usage, labels)
  // A model alone says nothing about the turn.
  if (used.length === 0) return []
  return [
    ...(models.length === 0 ? [] : [models.join(', ')]),
    ...used,
    ...(durationMs === undefined ? [] : [durationText(durationMs, labels)]),
  ]
}

function usageTexts(
  { inputTokens, outputTokens, costUsd, turns: modelTurns }: UsageCounts,
  labels: Labels,
): readonly string[] {
  return [
    ...(inputTokens === undefined ? [] : [labels.tokensIn(shortCount(inputTokens, labels))]),
    ...(outputTokens === undefined ? [] : [labels.tokensOut(shortCount(outputTokens, labels))]),
    ...(costUsd === undefined ? [] : [costText(costUsd, labels)]),
    ...(modelTurns === undefined ? [] : [labels.modelTurns(numberText(modelTurns, labels))]),
  ]
}

const COLUMNS = [
  ['inputTokens', 'columnInput'],
  ['cacheReadTokens', 'columnCached'],
  ['outputTokens', 'columnOutput'],
  ['costUsd', 'columnCost'],
] as const satisfies readonly (readonly [keyof UsageCounts, keyof Labels])[]

/** What each step used. A column that no step reports is left out. */
function Steps({ steps }: { readonly steps: readonly StepFacts[] }) {
  const { labels } = useViewContext()
  const columns = COLUMNS.filter(([field]) => steps.some(({ usage }) => usage[field] !== undefined))
  return (
    <table className="mr-steps">
      <thead>
        <tr>
          <th scope="col">{labels.columnStep}</th>
          {columns.map(([field, label]) => (
            <th key={field} scope="col" className="mr-number">
              {labels[label]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.map(({ key, number, name, model, usage }) => (
          <tr key={key}>
            <th scope="row">
              {labels.step(numberText(number, labels))}
              <span className="mr-quiet mr-cut">{[name, model].filter((part) => part !== undefined).join(' · ')}</span>
            </th>
            {columns.map(([field]) => (
              <td key={field} className="mr-number">
                {cellText(field, usage[field], labels)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function cellText(field: keyof UsageCounts, count: number | undefined, labels: Labels): string {
  if (count === undefined) return ''
  return field === 'costUsd' ? costText(count, labels) : shortCount(count, labels)
}
