import type { ChatEvent } from '@millrace/core/fold'
import type { ReactNode } from 'react'
import { durationOf, durationText } from './durations.ts'
import type { Labels } from './labels.ts'
import { costText, shortCount } from './numbers.ts'
import { useViewContext } from './view-context.ts'

interface FootProps {
  readonly event: ChatEvent
  readonly actions: ReactNode
}

/** The model, tokens, cost and duration of a message that has ended, as far as they are known. */
export function MessageFoot({ event, actions }: FootProps) {
  const { labels } = useViewContext()
  if (event.state === 'live') return undefined
  const facts = factsOf(event, labels)
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

function factsOf(event: ChatEvent, labels: Labels): readonly string[] {
  const { usage, model } = event
  if (usage === undefined) return []
  const duration = durationOf(event)
  return [
    ...(model === undefined ? [] : [model]),
    ...(usage.inputTokens === undefined ? [] : [labels.tokensIn(shortCount(usage.inputTokens, labels))]),
    ...(usage.outputTokens === undefined ? [] : [labels.tokensOut(shortCount(usage.outputTokens, labels))]),
    ...(usage.costUsd === undefined ? [] : [costText(usage.costUsd, labels)]),
    ...(duration === undefined ? [] : [durationText(duration, labels)]),
  ]
}
