import { expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/event-segments.ts'
import type { StreamEvent } from '../../events.ts'

const message: StreamEvent = { type: 'message-start', messageId: 'm', role: 'assistant' }
const start: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text' }
const delta = (text: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })
const call: StreamEvent = { type: 'tool-start', callId: 'c', name: 'get_tide', runBy: 'agent' }
const rewrite: StreamEvent = { type: 'block-patch', blockId: 'b', text: 'Seven.' }

it('text that waits to be sent again is shown before it is rewritten', () => {
  const long = 'The tide is high at six. '.repeat(4)
  const events = [message, start, delta(long), call, delta('Or at '), rewrite]
  const texts = chunksOfEach(events)
    .at(-1)
    ?.map(({ data }) => (data as { segment: { text: string } }).segment.text)
  expect(texts).toEqual([`${long}Or at `, 'Seven.'])
})
