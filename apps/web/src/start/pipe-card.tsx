import { useEffect, useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'

/** How long the outcome of a copy is shown. */
const SHOWN_MS = 1_500

/** How to pipe the output of any program into the log of the server at this address. */
export function PipeCard({ server }: { readonly server: string }) {
  const command = [
    `your-agent | curl -T - "${server}/api/ingest?format=agent-lines" \\`,
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

type Copying = 'idle' | 'copied' | 'failed'

const faces: { readonly [State in Copying]: { readonly icon: IconName; readonly text: string } } = {
  idle: { icon: 'copy', text: 'Copy' },
  copied: { icon: 'check', text: 'Copied' },
  failed: { icon: 'warning', text: 'Not copied' },
}

function Copy({ text }: { readonly text: string }) {
  const [state, setState] = useState<Copying>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      // The browser has no clipboard here, or the user forbids it.
      setState('failed')
    }
  }
  return (
    <button type="button" className="mr-button button" onClick={() => void copy()}>
      <Icon name={faces[state].icon} />
      {faces[state].text}
    </button>
  )
}
