import { describe, expect, it } from 'vitest'
import { EventBuilder } from '../event-builder.ts'
import type { ChatEvent } from '../shapes.ts'

function build() {
  const drafts: ChatEvent[] = []
  const finished: ChatEvent[] = []
  const builder = new EventBuilder({
    placeholderEventId: 'p',
    onUpdate: (draft) => drafts.push(draft),
    onFinalize: (event) => finished.push(event),
  })
  const texts = (event: ChatEvent | undefined) =>
    event?.segments.map((segment) => ('text' in segment ? `${segment.type} ${segment.text}` : segment.type))
  return { builder, finished, drafted: () => texts(drafts.at(-1)), stored: () => texts(finished.at(-1)) }
}

describe('segments that are set whole', () => {
  it('S3-46: begins a new segment, which later appends extend', () => {
    const { builder, drafted } = build()
    builder.upsertSegment({ id: 'a', type: 'text', text: '' })
    builder.appendTextDelta('One')
    builder.upsertSegment({ id: 'b', type: 'text', text: '' })
    builder.appendTextDelta('Two')
    builder.upsertSegment({ id: 'r', type: 'reasoning', text: '' })
    builder.upsertReasoningPart({ summary_index: 0, text: 'Hm', is_complete: false, sequence_number: 1 })
    expect(drafted()).toEqual(['text One', 'text Two', 'reasoning Hm'])
  })

  it('S3-46: sets the segment with its id, at any position, and leaves the last one unchanged', () => {
    const { builder, drafted } = build()
    builder.upsertSegment({ id: 'a', type: 'text', text: 'On' })
    builder.startToolCall({ id: 'c', name: 'tide' })
    builder.upsertSegment({ id: 'b', type: 'text', text: 'Tw' })
    builder.upsertSegment({ id: 'a', type: 'text', text: 'One' })
    builder.appendTextDelta('o')
    expect(drafted()).toEqual(['text One', 'tool', 'text Two'])
  })

  it('S3-44: a repeated beginning removes what was appended, so that nothing is doubled', () => {
    const { builder, drafted } = build()
    for (const _time of ['once', 'again']) {
      builder.upsertSegment({ id: 'a', type: 'text', text: '' })
      builder.appendTextDelta('One')
    }
    expect(drafted()).toEqual(['text One'])
  })

  it('stores an Event again if its segment is set after its end', () => {
    const { builder, finished, stored } = build()
    builder.upsertSegment({ id: 'a', type: 'text', text: 'Frist' })
    builder.finalizeCurrentEvent()
    builder.upsertSegment({ id: 'a', type: 'text', text: 'First' })
    expect(finished.map(({ id }) => id)).toEqual(['p', 'p'])
    expect(stored()).toEqual(['text First'])
  })
})
