import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fold } from '@millrace/core/fold'
import type { Segment } from '@millrace/core/fold/shapes'
import { parsers } from '@millrace/core/parse'
import type { Parser } from '@millrace/core/parse/parser'
import { eventsOf } from '@millrace/testkit/read-recording'
import type { Recording } from '@millrace/testkit/recordings'
import { corpusOf, fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import type { Extract, ExtractFrom, Unread } from './extract/extract.ts'

for (const [name, parser] of Object.entries(parsers)) {
  const path = join(import.meta.dirname, 'extract', `${name}.ts`)
  describe(`${name}: what is folded is what was sent`, async () => {
    if (!existsSync(path)) {
      it.skip('test/extract has no file for this format that is independent of its parser', () => {})
      return
    }
    const { extract, unread = {} } = (await import(path)) as { extract: ExtractFrom; unread?: Unread }
    const corpus = corpusOf(name)
    const recorded = 'absent' in corpus ? [] : corpus.recordings
    for (const recording of [...fixturesOf(name), ...recorded]) {
      const reason = unread[recording.name]
      if (reason === undefined) it(recording.name, () => compare(parser, extract, recording))
      else it.skip(`${recording.name}: ${reason}`, () => {})
    }
    if ('absent' in corpus) it.skip(`recorded streams: ${corpus.absent}`, () => {})
  })
}

function compare(parser: Parser, extract: ExtractFrom, recording: Recording): void {
  const folded = fold(entriesOf(eventsOf(parser, recording.records)))
  const segments = folded.chatEvents.flatMap((chatEvent) => allOf(chatEvent.segments))
  const values = recording.records.filter(({ problem }) => problem === undefined).map(({ value }) => value)
  const extracted = extract(values)
  // A subagent's segments are at its call, not in order of arrival: only the set of them can be compared.
  const arrange = folded.chatEvents.some((chatEvent) => hasSubagent(chatEvent.segments))
    ? sorted
    : (same: Extract) => same
  const hasThinkTags = segments.some(isThinkTag)
  const expected = hasThinkTags ? { ...extracted, text: [withoutSeams(extracted.text.join(''))] } : extracted
  expect(arrange(foldedExtract(segments))).toEqual(arrange(expected))
}

/** Thoughts with nothing between them are one thought. The tags in between are in the events only; law 8 counts them there. */
function withoutSeams(text: string): string {
  return text.replace(/<\/(think|thinking|reasoning)><\1>/gi, '')
}

function allOf(segments: readonly Segment[]): Segment[] {
  return segments.flatMap((segment) => (segment.type === 'subagent' ? allOf(segment.segments) : [segment]))
}

function hasSubagent(segments: readonly Segment[]): boolean {
  return segments.some((segment) => segment.type === 'subagent')
}

function sorted({ text, reasoning, tools }: Extract): Extract {
  const inOrder = <Item>(items: readonly Item[]) =>
    items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return { text: inOrder(text), reasoning: inOrder(reasoning), tools: inOrder(tools) }
}

/** A result whose call was in an earlier response belongs to a call that this stream does not have. */
function isOrphan(segment: Segment): boolean {
  return segment.meta?.millrace?.orphan === true
}

function isThinkTag(segment: Segment): boolean {
  return segment.type === 'reasoning' && segment.variant === 'think-tag'
}

/** Think tags cut a text block into several segments: with the tags restored, the whole text is one string. */
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
