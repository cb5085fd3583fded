import { describe, expect, it } from 'vitest'
import { recordOf } from '../../source/source.ts'
import { agUi } from '../ag-ui.ts'

const started = {
  type: 'RUN_STARTED',
  threadId: 't',
  runId: 'r',
  metadata: { millrace: { version: 1, model: 'mill' } },
}
const text = { type: 'TEXT_MESSAGE_START', messageId: 'r/b', metadata: { millrace: { variant: 'refusal' } } }
const again = { millrace: { again: true } }

function read(...values: readonly object[]) {
  const parser = agUi.create()
  const events = values.flatMap((value) => parser.push(value, recordOf(JSON.stringify(value))))
  return [...events, ...parser.end()]
}

describe('a stream that Millrace wrote', () => {
  it('is read back as the original events, with the original ids', () => {
    expect(read(started, text)).toEqual([
      { type: 'run-start', model: 'mill' },
      { type: 'block-start', blockId: 'b', kind: 'text', variant: 'refusal' },
    ])
  })

  it('is one run, even if a question split it', () => {
    const paused = { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'interrupt' }, metadata: again }
    const resumed = { type: 'RUN_STARTED', threadId: 't', runId: 'r.1', metadata: again }
    const over = { ...paused, metadata: { millrace: { outcome: 'success' } } }
    expect(read(started, paused).at(-1)).toEqual({ type: 'run-end', outcome: 'awaiting-input' })
    expect(read(started, paused, resumed)).toEqual([{ type: 'run-start', model: 'mill' }])
    expect(read(started, paused, resumed, over).at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
  })

  it('keeps an unknown chunk as raw', () => {
    const odd = { type: 'TEXT_MESSAGE_CHUNK', delta: 'x' }
    expect(read(started, odd).at(-1)).toEqual({ type: 'raw', value: odd, reason: 'unmapped' })
  })

  it('is recognised by its first event', () => {
    const { metadata: _metadata, ...plain } = started
    expect(read(plain, text)).not.toContainEqual(expect.objectContaining({ variant: 'refusal' }))
  })
})
