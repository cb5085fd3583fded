import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

const COPIED_MS = 1500

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => void navigator.clipboard?.writeText(text).then(() => setIsCopied(true))
  const shownLabel = isCopied ? 'Copied' : label
  return (
    <button type="button" className="mr-icon-button" aria-label={shownLabel} title={shownLabel} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  )
}
