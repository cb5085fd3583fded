import type { ReactNode } from 'react'
import type { Tone } from './liveness.ts'
import { ThemeSwitch } from './theme-switch.tsx'

interface PlainStatusProps {
  readonly words: string
  readonly tone: Tone
  /** More facts, and what stands at the right end. */
  readonly children?: ReactNode
  readonly end?: ReactNode
}

/** The bar at the foot: how things stand, always in words. */
export function PlainStatus({ words, tone, children, end }: PlainStatusProps) {
  return (
    <footer className="status">
      <span className={`fact tone-${tone}`}>
        <span className="dot" aria-hidden="true" />
        {words}
      </span>
      {children}
      <span className="status-end">
        {end}
        <ThemeSwitch />
      </span>
    </footer>
  )
}
