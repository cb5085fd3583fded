import { useEffect, useState } from 'react'
import { Icon } from '../icon.tsx'

const COPIED_MS = 1_500

/** How to pipe the output of any program into the log. */
export function PipeCard() {
  const command = [
    `your-agent | curl -T - "${location.origin}/api/ingest?format=agent-lines" \\`,
    '  -H "Authorization: Bearer $MILLRACE_TOKEN"',
  ].join('\n')
  return (
    <section className="card pipe" aria-labelledby="pipe">
      <h2 id="pipe">
        Pipe a stream in <span>the token is in the data folder, and in the address you opened</span>
      </h2>
      <div className="pipe-line">
        <pre>
          <span aria-hidden="true">$ </span>
          {command}
        </pre>
        <Copy text={command} />
      </div>
    </section>
  )
}

function Copy({ text }: { readonly text: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      className="mr-button button"
      onClick={() => void navigator.clipboard?.writeText(text).then(() => setIsCopied(true))}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  )
}
