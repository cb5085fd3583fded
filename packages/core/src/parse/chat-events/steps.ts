import { present } from '../../data/present.ts'
import type { UsageCounts } from '../../event-fields.ts'
import { usageEvents } from '../kit/counts.ts'
import type { OrderedEvents } from './ordered.ts'
import type { RawStep } from './raw.ts'

/** Adds a step where its entries were. */
export function addStep({ kind, number, name, seqs, usage }: RawStep, out: OrderedEvents): void {
  const span = present({ seqs })
  out.begin(span, { type: 'step-start', kind, ...present({ number, name }) })
  for (const event of usageEvents(usage ?? {}, { scope: 'step' })) out.end(span, event)
  out.end(span, { type: 'step-end' })
}

/** What a message used besides its steps. Sums of fractions differ from what they were made of by less than `TINY`. */
export function withoutSteps(usage: UsageCounts, steps: readonly RawStep[]): UsageCounts {
  const counts = Object.entries(usage) as [keyof UsageCounts, number][]
  const rest = counts.flatMap(([name, count]) => {
    const reported = steps.flatMap((step) => step.usage?.[name] ?? [])
    const left = count - reported.reduce((sum, each) => sum + each, 0)
    return reported.length > 0 && Math.abs(left) < TINY ? [] : [[name, left] as const]
  })
  return Object.fromEntries(rest)
}

const TINY = 1e-9
