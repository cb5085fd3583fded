import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ThreadProcessor, type TimelineItem } from '@millrace/core/compat/thread-processor'
import type { Entry } from '@millrace/core/events'
import { createFold } from '@millrace/core/fold'
import type { SwitchServer } from '../program.ts'
import { readSse } from '../sse.ts'
import { MODEL_PIECES } from './agent.ts'

/** What a timeline shows of an answer. */
export interface Shown {
  readonly thoughts: readonly string[]
  readonly text: string
}

/** The interface of the fifth system while an answer streams: its processor over the tokens so far, beside the fold. */
export interface Watched {
  /** After each piece of the model, what the processor shows of the tokens, and what the fold has. */
  readonly pieces: readonly { readonly processor: Shown; readonly fold: Shown }[]
  /** Whether a thought was there before the message was stored. */
  readonly wasLive: boolean
}

export async function watch(server: SwitchServer, runId: string): Promise<Watched> {
  const entries: Entry[] = []
  let wasLive = false
  const url = `${server.origin}/api/runs/${runId}/stream?wire=native`
  for await (const entry of readSse<Entry | { readonly state: string }>(
    await fetch(url, { headers: server.headers }),
  )) {
    // The status of the run is no entry.
    if ('state' in entry) continue
    entries.push(entry)
    const isThought = entry.event.type === 'block-delta' && entry.event.text.includes('Planning')
    if (isThought) wasLive = !linesOf(server, 'thread').some(({ type }) => type === 'AGENT_MESSAGE')
    if (entry.event.type === 'run-end') break
  }
  const processor = new ThreadProcessor()
  const pieces = MODEL_PIECES.map((_piece, index) => {
    const content = MODEL_PIECES.slice(0, index + 1).join('')
    const items = processor.processEphemeralEvents([{ type: 'assistant', content, timestamp: new Date(0) }])
    return { processor: shownOf(items), fold: foldedShown(entries.filter(({ rawThrough }) => rawThrough <= index + 1)) }
  })
  return { pieces, wasLive }
}

/** Thoughts of a processor's items, and their text. */
export function shownOf(items: readonly TimelineItem[]): Shown {
  const thoughts = items.flatMap((item) => (item.type === 'thinking' ? [item.content] : []))
  const texts = items.flatMap((item) =>
    item.type === 'agent_message' || item.type === 'ephemeral_message' ? [item.content] : [],
  )
  return { thoughts, text: texts.join('').trim() }
}

/** Thoughts and text of the answer in the fold. */
function foldedShown(entries: readonly Entry[]): Shown {
  const fold = createFold()
  fold.push(entries)
  const answer = fold.snapshot().chatEvents.filter(({ role }) => role === 'assistant')
  const wordsOf = (type: 'text' | 'reasoning') =>
    answer.flatMap(({ segments }) => segments.flatMap((segment) => (segment.type === type ? [segment.text] : [])))
  return { thoughts: wordsOf('reasoning').filter((thought) => thought !== ''), text: wordsOf('text').join('').trim() }
}

interface Line {
  readonly type: string
  readonly [field: string]: unknown
}

/** A file that the agent keeps in the folder of the server. */
export function linesOf({ folder }: SwitchServer, kind: 'thread' | 'notices'): readonly Line[] {
  const text = readFileSync(join(folder, `lock-${kind}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}
