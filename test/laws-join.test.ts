import type { StreamEvent } from '@millrace/core/events'
import { fold } from '@millrace/core/fold'
import { createJoin } from '@millrace/core/fold/join-runs'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'

const report = (callId: string, text: string): StreamEvent => ({
  type: 'tool-progress',
  callId,
  channel: 'stdout',
  text,
})

function chatEventsOf(runId: string, events: readonly StreamEvent[], outcome: 'success' | 'awaiting-input') {
  const run: StreamEvent[] = [{ type: 'run-start' }, ...events, { type: 'run-end', outcome }]
  return fold(entriesOf(run), { runId }).chatEvents
}

/** A run that ends with an open call and an open question. */
function asking(k: number): readonly ChatEvent[] {
  const callId = `call-${k}`
  const events: StreamEvent[] = [
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    { type: 'tool-start', callId, name: 'search', runBy: 'client' },
    { type: 'tool-input', callId, input: {} },
    report(callId, 'before'),
    { type: 'approval', approvalId: `asked-${k}`, state: 'requested', message: 'Which?' },
    { type: 'message-end', messageId: 'm' },
  ]
  return chatEventsOf(`asking-${k}`, events, 'awaiting-input')
}

/** The run that answers both, and continues. */
function answering(k: number, output: string): readonly ChatEvent[] {
  const callId = `call-${k}`
  const meta = { millrace: { orphan: true } }
  const events: StreamEvent[] = [
    { type: 'message-start', messageId: 'tool', role: 'tool' },
    { type: 'tool-start', callId, name: 'search', runBy: 'client', meta },
    { type: 'tool-input', callId, input: {} },
    report(callId, 'after'),
    { type: 'tool-output', callId, status: 'ok', output },
    { type: 'approval', approvalId: `asked-${k}`, state: 'answered', answer: output },
    { type: 'message-end', messageId: 'tool' },
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    { type: 'status', message: 'Thanks', level: 'info' },
    { type: 'message-end', messageId: 'm' },
  ]
  return chatEventsOf(`answering-${k}`, events, 'success')
}

const rounds = (count: number) =>
  Array.from({ length: count }, (_, index) => [...asking(index + 1), ...answering(index + 1, `output ${index + 1}`)])

describe('joined runs', () => {
  it.each([1, 2, 3])('show each of %i pauses with its own answer, and no answer by itself', (count) => {
    const joined = createJoin()(rounds(count).flat())
    expect(joined.map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => [`asking-${index + 1}/m`, `answering-${index + 1}/m`]).flat(),
    )
    for (const [index, chatEvent] of joined.filter(({ runId }) => runId.startsWith('asking')).entries()) {
      const output = `output ${index + 1}`
      const progress = [
        { channel: 'stdout', text: 'before' },
        { channel: 'stdout', text: 'after' },
      ]
      expect(chatEvent.segments).toMatchObject([
        { type: 'tool', state: 'done', output, progress },
        { type: 'approval', state: 'answered', answer: output, message: 'Which?' },
      ])
    }
  })

  it('show another answer when it changes, and the same object while it does not', () => {
    const join = createJoin()
    const asked = asking(1)
    const [first, second] = [answering(1, 'first'), answering(1, 'second')]
    const before = join([...asked, ...first])[0]
    expect(join([...asked, ...first])[0]).toBe(before)
    expect(join([...asked, ...second])[0]?.segments[0]).toMatchObject({ output: 'second' })
    expect(join([...asked, ...first])[0]?.segments[0]).toMatchObject({ output: 'first' })
  })
})
