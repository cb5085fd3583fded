import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/ai-sdk.ts'
import type { StreamEvent } from '../../events.ts'
import { aiSdk } from '../ai-sdk.ts'

const open: StreamEvent = { type: 'block-start', blockId: 'b', kind: 'text', agentId: 'a' }
const close: StreamEvent = { type: 'block-end', blockId: 'b' }
const delta = (text: string): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })
const chunks = (...events: readonly StreamEvent[]) => chunksOfEach(events).flat()
const part = (data: object) => ({ type: 'data-subagent-part', id: 'b', data: { agentId: 'a', type: 'text', ...data } })

describe('what a subagent says', () => {
  it('is a data part that begins, grows and ends, and no text of the answer', () => {
    expect(chunks(open, delta('Slack'), delta(' water'), close)).toEqual([
      part({ text: '', state: 'streaming' }),
      part({ text: 'Slack', state: 'streaming' }),
      part({ text: 'Slack water', state: 'streaming' }),
      part({ text: 'Slack water', state: 'done' }),
    ])
  })

  it('is sent as a transient part while it has not grown by a quarter', () => {
    const added = { type: 'data-subagent-delta', data: { id: 'b', agentId: 'a', delta: ' it is.' }, transient: true }
    expect(chunks(open, delta('At twenty to seven in the morning'), delta(' it is.'))).toContainEqual(added)
  })

  it('costs bytes in proportion to its length', () => {
    const sizeOf = (deltas: number) =>
      JSON.stringify(chunks(open, ...Array.from({ length: deltas }, () => delta('word ')), close)).length
    expect(sizeOf(4_000) / sizeOf(1_000)).toBeLessThan(5)
  })

  it('has the signature, the variant and the interruption of its block', () => {
    const thought: StreamEvent = { ...open, kind: 'reasoning', variant: 'thinking' }
    const signed: StreamEvent = { type: 'block-patch', blockId: 'b', signature: 's' }
    const millrace = { variant: 'thinking', signature: 's', interrupted: true }
    const data = { agentId: 'a', type: 'reasoning', text: '', state: 'done', providerMetadata: { millrace } }
    expect(chunks(thought, signed, { ...close, interrupted: true }).at(-1)?.data).toEqual(data)
  })

  it('keeps its citations', () => {
    const citations = [{ source: { type: 'source', id: 's', sourceType: 'url', url: 'https://x' } }]
    const cited: StreamEvent = { type: 'block-patch', blockId: 'b', citations }
    expect(chunks(open, cited, close).at(-1)?.data).toMatchObject({ citations, state: 'done' })
  })
})

it('the parts of a run that continues a message replace none of the run before', () => {
  const status: StreamEvent = { type: 'status', message: 'Working', level: 'info' }
  const wireState = aiSdk.create({ runId: 'second', threadId: 'thread', messageId: 'first' })
  const ids = [open, status].flatMap((event, index) =>
    wireState.push({ seq: index + 1, at: 0, event, rawThrough: 0 }).flatMap(({ id }) => id ?? []),
  )
  expect(ids).toEqual(['b/second', 'status_1/second'])
})
