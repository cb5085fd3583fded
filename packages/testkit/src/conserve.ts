import type { StreamEvent } from '@millrace/core/events'
import { createNormalizer } from '@millrace/core/normalize'
import fc, { type Arbitrary } from 'fast-check'
import { type EventGroup, interleaved } from './compose.ts'
import type { Law } from './law.ts'
import type { ParserCase } from './parser-laws.ts'
import { parsedOf } from './read-recording.ts'
import { runPasses } from './runs.ts'
import { same } from './verdicts.ts'

/** The output of all passes for a complete stream. */
export function normalized(events: readonly StreamEvent[]): StreamEvent[] {
  return runPasses([createNormalizer], events)
}

/** Law 8 over one recording. */
export const conserveLaw: Law<ParserCase> = {
  promise: 'loses no byte of a text to its think tags',
  *check({ parser, recording }) {
    yield lostBytes(parsedOf(parser, recording.records))
  },
}

/** The first difference between the input text and text, thinking and tags after `normalize`. */
export function lostBytes(events: readonly StreamEvent[]): string | undefined {
  const rewritten = new Set(events.flatMap(rewrittenBy))
  const before = textsOf(events)
  const after = joinedBySource(normalized(events), before)
  for (const [blockId, text] of before) {
    if (rewritten.has(blockId)) continue
    const problem = same(after.get(blockId) ?? '', text, `block ${blockId}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

const rewrittenBy = (event: StreamEvent) =>
  event.type === 'block-patch' && event.text !== undefined ? [event.blockId] : []

/** The streamed text by block. */
function textsOf(events: readonly StreamEvent[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'block-delta') texts.set(event.blockId, (texts.get(event.blockId) ?? '') + event.text)
  }
  return texts
}

/** The parts of each source block joined again, with the bytes of the tags around them. */
function joinedBySource(events: readonly StreamEvent[], sources: ReadonlyMap<string, string>): Map<string, string> {
  const joined = new Map<string, string>()
  for (const event of events) {
    if (!('blockId' in event) || event.blockId === undefined) continue
    const source = sourceOf(event.blockId, sources)
    joined.set(source, (joined.get(source) ?? '') + bytesOf(event))
  }
  return joined
}

/** The id of a part is that of its block, with a number after a dot, or after a tilde if the id was in use. */
function sourceOf(blockId: string, sources: ReadonlyMap<string, string>): string {
  let id = blockId
  while (!sources.has(id) && /[.~]\d+$/.test(id)) id = id.replace(/[.~]\d+$/, '')
  return id
}

function bytesOf(event: StreamEvent): string {
  const tags = event.meta?.millrace ?? {}
  if (event.type === 'block-delta') return `${tags.seam ?? ''}${event.text}`
  if (event.type === 'block-start') return `${tags.before ?? ''}${tags.open ?? ''}`
  return event.type === 'block-end' ? `${tags.close ?? ''}${tags.after ?? ''}` : ''
}

const fragment = fc.constantFrom(
  ...['<think>', '</think>', '<thinking>', '</thinking>', '<reasoning>', '</reasoning>', '<THINK>', '<', '</', 'th'],
  ...[
    'ink>',
    '>',
    '`',
    '```',
    '```\n',
    '~~~\n',
    '\n',
    '\n\n',
    '    ',
    ' ',
    'word',
    'a sentence. ',
    '😀',
    '\ud83d',
    '"',
  ],
)

const taggedBlock: Arbitrary<EventGroup> = fc
  .array(fc.array(fragment, { maxLength: 4 }), { maxLength: 8 })
  .map((deltas) => [
    { type: 'block-start', blockId: '', kind: 'text' },
    ...deltas.map((fragments) => ({ type: 'block-delta' as const, blockId: '', text: fragments.join('') })),
    { type: 'block-end', blockId: '' },
  ])

/** Texts with many tags and code, in parallel blocks. */
export const taggedStreams: Arbitrary<StreamEvent[]> = fc
  .record({
    blocks: fc.array(taggedBlock, { minLength: 1, maxLength: 3 }),
    picks: fc.array(fc.nat(5), { maxLength: 20 }),
  })
  .map(({ blocks, picks }) => [
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    ...interleaved(blocks, picks),
    { type: 'message-end', messageId: 'm' },
  ])
