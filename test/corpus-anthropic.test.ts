import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../packages/core/src/entry.ts'
import { fold } from '../packages/core/src/fold/fold.ts'
import type { Segment } from '../packages/core/src/fold/shapes.ts'
import { anthropicMessages } from '../packages/core/src/parse/anthropic-messages.ts'
import { createReader } from '../packages/core/src/read.ts'
import { type RawRecord, recordOf } from '../packages/core/src/source/source.ts'
import { createStamp } from '../packages/core/src/stamp.ts'
import { type Extract, extractAnthropic } from './extract-anthropic.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures/anthropic-messages')
const CORPUS = join(process.env.MILLRACE_CORPUS ?? '', 'anthropic-messages')

describe('anthropic-messages: what is folded is what was sent', () => {
  for (const file of recordings(FIXTURES)) it(`fixture ${file}`, () => compare(join(FIXTURES, file)))
})

describe('anthropic-messages: what is folded of a recorded stream is what was sent', () => {
  if (process.env.MILLRACE_CORPUS === undefined || !existsSync(CORPUS)) {
    it.skip('the corpus is not here: MILLRACE_CORPUS names no folder with anthropic-messages', () => {})
    return
  }
  for (const file of recordings(CORPUS)) it(file, () => compare(join(CORPUS, file)))
})

function recordings(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
}

function compare(path: string): void {
  const lines = readFileSync(path, 'utf8').split('\n')
  const records = lines.filter((line) => line.trim() !== '').map((line) => recordOf(line))
  const segments = fold(entriesOf(records)).chatEvents.flatMap((chatEvent) => allOf(chatEvent.segments))
  const extracted = extractAnthropic(records.map((record) => record.value))
  const folded = foldedExtract(segments)
  const hasThinkTags = segments.some(isThinkTag)
  expect(folded).toEqual(hasThinkTags ? { ...extracted, text: [extracted.text.join('')] } : extracted)
}

function entriesOf(records: readonly RawRecord[]): Entry[] {
  const reader = createReader(anthropicMessages)
  const stamp = createStamp()
  const entries = records.flatMap((record, index) => reader.push(record).map((event) => stamp(event, index + 1)))
  return [...entries, ...reader.end().map((event) => stamp(event, records.length))]
}

function allOf(segments: readonly Segment[]): Segment[] {
  return segments.flatMap((segment) => (segment.type === 'subagent' ? allOf(segment.segments) : [segment]))
}

/** A result whose call was in an earlier response stands for a call that this stream does not have. */
function isOrphan(segment: Segment): boolean {
  return segment.meta?.millrace?.orphan === true
}

function isThinkTag(segment: Segment): boolean {
  return segment.type === 'reasoning' && segment.variant === 'think-tag'
}

/** Think tags cut a text block into several segments: with its tags put back, the whole text is one string. */
function foldedExtract(segments: readonly Segment[]): Extract {
  const text = segments.flatMap((segment) => textOf(segment)).filter((piece) => piece !== '')
  return {
    text: segments.some(isThinkTag) ? [text.join('')] : text,
    reasoning: segments.flatMap((segment) =>
      segment.type === 'reasoning' && !isThinkTag(segment) && segment.text !== '' ? [segment.text] : [],
    ),
    tools: segments.flatMap((segment) =>
      segment.type === 'tool' && !isOrphan(segment)
        ? [{ name: segment.name, input: segment.inputText ?? segment.input }]
        : [],
    ),
  }
}

function textOf(segment: Segment): string[] {
  if (segment.type === 'text') return [segment.text]
  if (segment.type !== 'reasoning' || !isThinkTag(segment)) return []
  const { open = '', close = '' } = segment.meta?.millrace ?? {}
  return [`${open}${segment.text}${close}`]
}
