import { useEffect, useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'

/** How long the outcome of a copy is shown. */
const SHOWN_MS = 1_500

interface Producer {
  readonly name: string
  /** Prints a stream. */
  readonly command: string
  /** Absent: the server finds it. */
  readonly format?: string
  /** What a person has to know of it. */
  readonly note: string
}

const producers: readonly [Producer, ...Producer[]] = [
  {
    name: 'Claude Code',
    command: 'claude -p --output-format stream-json --verbose "fix the flaky test"',
    format: 'claude-agent-sdk',
    note: 'Each tool, thought and cost is shown while it works.',
  },
  {
    name: 'Codex',
    command: 'codex exec --json "fix the flaky test"',
    format: 'codex-exec',
    note: 'Each command is shown with its output.',
  },
  {
    name: 'Python script',
    command: 'python3 agent.py',
    format: 'agent-lines',
    note: 'It prints one JSON object a line, such as {"type":"text","data":{"content":"Hello"}}; {"type":"done","data":{}} is the last.',
  },
  {
    name: 'Any stream',
    command: 'cat stream.sse',
    note: 'Its format is found from its first records: Anthropic, OpenAI, Gemini, LangGraph, AG-UI, AI SDK, ACP and others.',
  },
]

const commandFor = ({ command, format }: Producer, server: string) =>
  [
    'export MILLRACE_TOKEN="$(cat .millrace/token)"',
    `${command} \\`,
    `  | curl -sS -T - "${server}/api/ingest${format === undefined ? '' : `?format=${format}`}" \\`,
    '    -H "Authorization: Bearer $MILLRACE_TOKEN"',
  ].join('\n')

/** How to pipe the output of a program into the log of the server at this address. */
export function PipeCard({ server }: { readonly server: string }) {
  const [chosen, setChosen] = useState(producers[0])
  const command = commandFor(chosen, server)
  return (
    <section className="card pipe" aria-labelledby="pipe">
      <div className="pipe-head">
        <h2 id="pipe">Pipe a stream in</h2>
        <fieldset className="pipe-choice" aria-labelledby="pipe">
          {producers.map((producer) => (
            <label key={producer.name}>
              <input type="radio" name="producer" checked={producer === chosen} onChange={() => setChosen(producer)} />
              {producer.name}
            </label>
          ))}
        </fieldset>
      </div>
      <div className="pipe-line">
        <pre>{command}</pre>
        <Copy text={command} />
      </div>
      <p className="pipe-note">
        {chosen.note} The first line is for the folder in which the server was started. The stream is announced here
        when it arrives.
      </p>
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
