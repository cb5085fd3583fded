import type { Entry } from '@millrace/core/entry'
import type { StreamEvent } from '@millrace/core/events'

/** A deterministic stream of small numbers, so that every run measures the same input. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

const WORDS = 'the agent reads a file then writes its answer into a table and asks for more light'.split(' ')

export function words(random: () => number, length: number): string {
  let text = ''
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `
  return text.slice(0, length)
}

export function entriesOf(events: readonly StreamEvent[]): Entry[] {
  return events.map((event, index) => ({ seq: index + 1, at: 1_700_000_000_000 + index * 7, event, rawThrough: index }))
}

const opened: readonly StreamEvent[] = [
  { type: 'run-start', model: 'bench' },
  { type: 'message-start', messageId: 'm', role: 'assistant' },
]

/** One text block of `count` deltas of five characters. */
export function textRun(count: number): StreamEvent[] {
  const random = seeded(1)
  const events: StreamEvent[] = [...opened, { type: 'block-start', blockId: 'b', kind: 'text' }]
  for (let n = 0; n < count; n++) events.push({ type: 'block-delta', blockId: 'b', text: words(random, 5) })
  events.push({ type: 'block-end', blockId: 'b' }, { type: 'message-end', messageId: 'm' })
  events.push({ type: 'run-end', outcome: 'success' })
  return events
}

/** An agent's run: in each step some reasoning, some text, and twenty tools with streamed inputs and outputs. */
export function mixedRun(steps: number): StreamEvent[] {
  const random = seeded(2)
  const events: StreamEvent[] = [{ type: 'run-start', model: 'bench' }]
  for (let step = 0; step < steps; step++) {
    const messageId = `m${step}`
    events.push({ type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'model' })
    block(events, random, `${messageId}:0`, 'reasoning', 150)
    block(events, random, `${messageId}:1`, 'text', 150)
    for (let tool = 0; tool < 20; tool++) call(events, random, `${messageId}/call${tool}`)
    events.push({ type: 'usage', scope: 'step', mode: 'snapshot', inputTokens: 1000, outputTokens: 200 })
    events.push({ type: 'step-end' }, { type: 'message-end', messageId })
  }
  events.push({ type: 'run-end', outcome: 'success' })
  return events
}

function block(
  events: StreamEvent[],
  random: () => number,
  blockId: string,
  kind: 'text' | 'reasoning',
  deltas: number,
) {
  events.push({ type: 'block-start', blockId, kind })
  for (let n = 0; n < deltas; n++) events.push({ type: 'block-delta', blockId, text: words(random, 12) })
  events.push({ type: 'block-end', blockId })
}

function call(events: StreamEvent[], random: () => number, callId: string): void {
  const input = { path: `/src/${callId}`, content: words(random, 500), limit: 20 }
  events.push({ type: 'tool-start', callId, name: 'write_file', runBy: 'agent' })
  for (const text of piecesOf(JSON.stringify(input), 20)) events.push({ type: 'tool-input-delta', callId, text })
  events.push({ type: 'tool-input', callId, input })
  events.push({ type: 'tool-output', callId, status: 'ok', output: words(random, 200) })
}

export function piecesOf(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, index * size + size),
  )
}

/** Tool arguments of about `size` characters: a few fields, a list of edits, and a long string with escapes. */
export function toolArguments(size: number): string {
  const random = seeded(3)
  const edits = Array.from({ length: Math.ceil(size / 400) }, (_, line) => ({
    line,
    remove: line % 3 === 0,
    text: `${words(random, 60)}\n\t"quoted"`,
  }))
  return JSON.stringify({ path: '/src/main.ts', edits, content: `${words(random, size * 0.6)}\n` })
}
