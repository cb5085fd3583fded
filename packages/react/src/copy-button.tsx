import { useEffect, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { useViewContext } from './view-context.ts'

const SHOWN_MS = 1500

const looks = {
  copied: { label: 'copied', icon: 'check' },
  refused: { label: 'copyingFailed', icon: 'cross' },
} as const

interface Attempt {
  readonly outcome: keyof typeof looks
}

export interface CopyButtonProps {
  readonly text: string
  /** What the button is called; “Copy” by default. */
  readonly label?: string
  /** Default: that of copying. */
  readonly icon?: IconName
}

/** Says for a moment that the text was copied, or that the browser refused. */
export function CopyButton({ text, label, icon = 'copy' }: CopyButtonProps) {
  const { labels } = useViewContext()
  // A new object for each attempt, so that the moment begins anew.
  const [attempt, setAttempt] = useState<Attempt>()
  useEffect(() => {
    if (attempt === undefined) return
    const timer = setTimeout(() => setAttempt(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [attempt])
  const copy = async () => {
    try {
      // A page without a secure connection has no clipboard at all.
      await navigator.clipboard.writeText(text)
      setAttempt({ outcome: 'copied' })
    } catch {
      setAttempt({ outcome: 'refused' })
    }
  }
  const look = attempt === undefined ? ({ label: 'copy', icon } as const) : looks[attempt.outcome]
  const title = attempt === undefined ? (label ?? labels.copy) : labels[look.label]
  return (
    <button type="button" className="mr-icon-button" aria-label={title} title={title} onClick={copy}>
      <Icon name={look.icon} />
    </button>
  )
}
