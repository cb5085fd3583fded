import type { ChatEvent } from '@millrace/core/fold'
import type { ReactNode } from 'react'
import { durationOf, durationText } from './durations.ts'

interface FootProps {
  readonly event: ChatEvent
  readonly actions: ReactNode
}

/** The model, tokens, cost and duration of a message that has ended, as far as they are known. */
export function MessageFoot({ event, actions }: FootProps) {
  if (event.state === 'live') return undefined
  const facts = factsOf(event)
  if (facts.length === 0 && actions === undefined) return undefined
  return (
    <footer className="mr-foot">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
      {actions !== undefined && <span className="mr-foot-actions">{actions}</span>}
    </footer>
  )
}

function factsOf(event: ChatEvent): readonly string[] {
  const { usage, model } = event
  if (usage === undefined) return []
  const duration = durationOf(event)
  return [
    ...(model === undefined ? [] : [model]),
    ...(usage.inputTokens === undefined ? [] : [`${shortCount(usage.inputTokens)} in`]),
    ...(usage.outputTokens === undefined ? [] : [`${shortCount(usage.outputTokens)} out`]),
    ...(usage.costUsd === undefined ? [] : [`$${usage.costUsd.toFixed(usage.costUsd < 0.1 ? 4 : 2)}`]),
    ...(duration === undefined ? [] : [durationText(duration)]),
  ]
}

function shortCount(count: number): string {
  if (count < 1000) return String(count)
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
