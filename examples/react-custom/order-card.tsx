import type { SegmentProps } from '@millrace/react'

interface Order {
  readonly number: string
  readonly carrier: string
  readonly steps: readonly { readonly name: string; readonly at: string; readonly isDone: boolean }[]
}

/** An order on its way. Our card stays below it, closed; while there is no result yet, it is all that is shown. */
export function OrderCard({ segment, fallback }: SegmentProps<'tool'>) {
  if (!isOrder(segment.output)) return fallback
  const { number, carrier, steps } = segment.output
  const current = steps.findLastIndex(({ isDone }) => isDone)
  return (
    <section className="order" aria-label={`Bestellung ${number}`}>
      <header className="order-head">
        <strong>Bestellung {number}</strong>
        <span>{carrier}</span>
      </header>
      <ol className="order-steps">
        {steps.map(({ name, at, isDone }, index) => (
          <li key={name} data-done={isDone} aria-current={index === current ? 'step' : undefined}>
            <span className="order-name">{name}</span>
            <span className="order-at">{at}</span>
          </li>
        ))}
      </ol>
      <div className="order-call">{fallback}</div>
    </section>
  )
}

/** A tool may return anything: whatever is no order is left to our card. */
function isOrder(output: unknown): output is Order {
  if (typeof output !== 'object' || output === null) return false
  const { number, carrier, steps } = output as Partial<Order>
  return typeof number === 'string' && typeof carrier === 'string' && Array.isArray(steps)
}
