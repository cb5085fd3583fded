import { describe, expect, it } from 'vitest'
import { EventBuilder } from '../event-builder.ts'
import type { ChatEvent } from '../shapes.ts'
import { createReasoningParts, type ReasoningPart } from './reasoning-parts.ts'

function build() {
  const drafts: ChatEvent[] = []
  const builder = new EventBuilder({ placeholderEventId: 'p', onUpdate: (draft) => drafts.push(draft) })
  return { builder, drafts, draft: () => drafts.at(-1) as ChatEvent }
}

const part = (summary_index: number, text: string, sequence_number: number, is_complete = false): ReasoningPart => ({
  summary_index,
  text,
  sequence_number,
  is_complete,
})

function reasoningOf(event: ChatEvent): string[] {
  return event.segments.flatMap((segment) => (segment.type === 'reasoning' ? [`${segment.text} ${segment.state}`] : []))
}

describe('reasoning parts', () => {
  it('S3-21, build-reason: the same part with the same sequence number changes nothing', () => {
    const { builder, drafts, draft } = build()
    builder.upsertReasoningPart(part(0, 'r1', 1))
    builder.upsertReasoningPart(part(0, 'r1', 1))
    expect(drafts).toHaveLength(1)
    expect(reasoningOf(draft())).toEqual(['r1 live'])
  })

  it('S3-21: nor does an older part, or a part that repeats a sequence number with another text', () => {
    const { builder, drafts, draft } = build()
    builder.upsertReasoningPart(part(0, 'r5', 5))
    builder.upsertReasoningPart(part(0, 'r4', 4))
    builder.upsertReasoningPart(part(0, 'other', 5))
    expect(drafts).toHaveLength(1)
    expect(reasoningOf(draft())).toEqual(['r5 live'])
  })

  it('S3-21: nor does it after a tool call in between', () => {
    const { builder, draft } = build()
    builder.upsertReasoningPart(part(0, 'r1', 1))
    builder.startToolCall({ id: 't1', name: 'search' })
    builder.upsertReasoningPart(part(0, 'r1', 1))
    expect(draft().segments).toHaveLength(2)
  })

  it('S3-21, S3-37: parts are sorted by their index, in whatever order they arrive', () => {
    const { builder, draft } = build()
    builder.upsertReasoningPart(part(1, 'second', 5))
    builder.upsertReasoningPart(part(0, 'fir', 1))
    builder.upsertReasoningPart(part(2, 'third', 7))
    builder.upsertReasoningPart(part(0, 'st', 2))
    expect(reasoningOf(draft())).toEqual(['first\n\nsecond\n\nthird live'])
  })

  it('a completed part may repeat the text streamed so far, or contain only the rest', () => {
    const { builder, draft } = build()
    builder.upsertReasoningPart(part(0, 'weigh', 1))
    builder.upsertReasoningPart(part(0, 'weighing', 2, true))
    builder.upsertReasoningPart(part(1, 'deci', 3))
    builder.upsertReasoningPart(part(1, 'ding', 4, true))
    expect(reasoningOf(draft())).toEqual(['weighing\n\ndeciding live'])
  })

  it('S3-37: reasoning is live until another kind of segment follows, such as a tool call', () => {
    const { builder, draft } = build()
    builder.upsertReasoningPart(part(0, 'r1', 1, true))
    expect(reasoningOf(draft())).toEqual(['r1 live'])
    builder.startToolCall({ id: 't1', name: 'search' })
    expect(reasoningOf(draft())).toEqual(['r1 done'])
    builder.upsertReasoningPart(part(0, 'r2', 2))
    expect(reasoningOf(draft())).toEqual(['r1 done', 'r2 live'])
    builder.appendTextDelta('so')
    expect(reasoningOf(draft())).toEqual(['r1 done', 'r2 done'])
  })

  it('a growing thought is appended to, not rewritten', () => {
    const parts = createReasoningParts()
    expect([parts.upsert(part(0, 'ab', 1)), parts.upsert(part(0, 'cd', 2)), parts.upsert(part(1, 'ef', 3))]).toEqual([
      { added: 'ab' },
      { added: 'cd' },
      { added: '\n\nef' },
    ])
    expect(parts.upsert(part(0, '!', 4))).toEqual({ whole: 'abcd!\n\nef' })
  })
})
