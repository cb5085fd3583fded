import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Keeps what is said on the connection to one program, in both directions. */
export interface Trace {
  sent(text: string): void
  received(bytes: Uint8Array): void
  close(): void
}

type Side = 'millrace' | 'program'

/**
 * With `MILLRACE_TRACE=1`, one file per run beside the folders of the threads: a line of JSON for each line of the connection.
 * It holds all that is said, so only its owner may read it.
 */
export function openTrace(threads: string, runId: string): Trace | undefined {
  if (process.env.MILLRACE_TRACE !== '1') return undefined
  const path = join(dirname(threads), 'trace', `${encodeURIComponent(runId)}.jsonl`)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 })
  // A full disk must not end the run.
  file.on('error', () => undefined)
  const decoder = new TextDecoder()
  const unfinished: Record<Side, string> = { millrace: '', program: '' }

  function keep(from: Side, text: string): void {
    const lines = (unfinished[from] + text).split('\n')
    unfinished[from] = lines.pop() ?? ''
    for (const line of lines) file.write(`${JSON.stringify({ at: Date.now(), from, line })}\n`)
  }

  return {
    sent: (text) => keep('millrace', text),
    received: (bytes) => keep('program', decoder.decode(bytes, { stream: true })),
    close() {
      for (const from of ['millrace', 'program'] as const) if (unfinished[from] !== '') keep(from, '\n')
      file.end()
    },
  }
}
