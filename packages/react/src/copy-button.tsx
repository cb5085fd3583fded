import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

const SHOWN_MS = 1500

const looks = {
  copied: { label: 'Copied', icon: 'check' },
  refused: { label: 'Copying failed', icon: 'cross' },
} as const

interface Attempt {
  readonly outcome: keyof typeof looks
}

/** Says for a moment that the text was copied, or that the browser refused. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
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
  const shown = attempt === undefined ? ({ label, icon: 'copy' } as const) : looks[attempt.outcome]
  return (
    <button type="button" className="mr-icon-button" aria-label={shown.label} title={shown.label} onClick={copy}>
      <Icon name={shown.icon} />
    </button>
  )
}
