import type { ReactNode } from 'react'

interface ScrollerProps {
  readonly look?: string
  readonly label: string
  readonly children: ReactNode
}

/** Preformatted text that may scroll inside itself: so the keyboard can reach it, and it says what it is. */
export function Scroller({ look, label, children }: ScrollerProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <pre className={look} role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  )
}
