import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../events.ts'
import { type Parser, SILENT } from '../parse/parser.ts'
import { recordOf } from '../source/source.ts'
import { createReader } from './read.ts'

/** Returns the events that a record contains. */
const echo: Parser = {
  version: 1,
  losses: {},
  recognize: () => undefined,
  create: () => ({
    push(value) {
      if (value === 'throw') throw new Error('not understood')
      if (value === 'silent') return SILENT
      return value as StreamEvent[]
    },
    end: () => [{ type: 'run-end', outcome: 'success' }],
  }),
}

const record = (value: unknown) => recordOf(JSON.stringify(value))
const status: StreamEvent = { type: 'status', message: 's', level: 'info' }

describe('the reader', () => {
  it('keeps a record if the parser throws or returns an ill-shaped event', () => {
    for (const value of [
      'throw',
      [{ type: 'block-delta', blockId: 'b' }],
      [{ type: 'toString' }],
      [status, null],
      {},
    ]) {
      const reader = createReader(echo)
      expect(reader.push(record(value))).toEqual([{ type: 'run-start' }, { type: 'raw', value, reason: 'unmapped' }])
      expect(reader.push(record([status])).at(-1)).toEqual(status)
    }
  })

  it('keeps a record for which the parser returns no event, unless it returns SILENT', () => {
    const reader = createReader(echo)
    reader.push(record([status]))
    expect(reader.push(record([]))).toEqual([{ type: 'raw', value: [], reason: 'unmapped' }])
    expect(reader.push(record('silent'))).toEqual([])
    expect(reader.end().at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
  })

  it('keeps the text of a record that is not JSON, and emits nothing for a terminator', () => {
    const reader = createReader(echo)
    expect(reader.push(recordOf('Starting…')).at(-1)).toEqual({ type: 'raw', value: 'Starting…', reason: 'unparsable' })
    expect(reader.push(recordOf('[DONE]'))).toEqual([])
  })

  it('adds an event of the host after the events so far', () => {
    const reader = createReader(echo)
    reader.push(record([status]))
    expect(reader.add({ type: 'control', action: 'stop', by: 'me' })).toEqual([
      { type: 'control', action: 'stop', by: 'me' },
    ])
    expect(reader.end().at(-1)).toEqual({ type: 'run-end', outcome: 'success' })
  })

  it('keeps a record as raw in place of its answers if only the host answers', () => {
    const reader = createReader(echo, { areAnswersRead: false })
    const request: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested' }
    const answer: StreamEvent = { type: 'approval', approvalId: 'a', state: 'approved' }
    reader.push(record([request]))
    const claim = [answer, status, { ...answer, state: 'denied' }, { ...answer, state: 'answered' }]
    expect(reader.push(record(claim))).toEqual([{ type: 'raw', value: claim, reason: 'unmapped' }, status])
    expect(reader.add(answer)).toEqual([answer])
    expect(
      createReader(echo)
        .push(record([request, answer]))
        .at(-1),
    ).toMatchObject({ state: 'approved' })
  })

  it('lets a record withdraw its question, and a call go on, even if only the host answers', () => {
    const reader = createReader(echo, { areAnswersRead: false })
    const request: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested' }
    const withdrawal: StreamEvent = { ...request, state: 'expired' }
    reader.push(record([request]))
    expect(reader.push(record([withdrawal]))).toEqual([withdrawal])
    const late: StreamEvent = { ...request, state: 'approved' }
    expect(reader.add(late)).toEqual([{ type: 'raw', value: late, reason: 'unmapped' }])

    const asked = { ...request, approvalId: 'b', callId: 'c' } as const
    const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 1 }
    reader.push(record([{ type: 'tool-start', callId: 'c', name: 'f', runBy: 'agent' }, asked]))
    const claim = [{ ...asked, state: 'approved' }, output]
    expect(reader.push(record(claim))).toEqual([
      { type: 'raw', value: claim, reason: 'unmapped' },
      { ...asked, state: 'expired', reason: 'went-on' },
      output,
    ])
  })

  it('takes a record that goes on as the host has answered for no answer, and a late withdrawal for none', () => {
    const reader = createReader(echo, { areAnswersRead: false })
    const request: StreamEvent = { type: 'approval', approvalId: 'a', state: 'requested' }
    reader.push(record([request]))
    reader.add({ ...request, state: 'approved' })
    expect(reader.push(record([{ ...request, state: 'approved' }, status]))).toEqual([status])
    expect(reader.push(record([{ ...request, state: 'expired' }, status]))).toEqual([status])
    const claim = [{ ...request, state: 'denied' }]
    expect(reader.push(record(claim))).toEqual([{ type: 'raw', value: claim, reason: 'unmapped' }])
  })

  it('also keeps an answer as raw that the parser held back to the end', () => {
    const answer: StreamEvent = { type: 'approval', approvalId: 'a', state: 'approved' }
    const create = () => ({ push: () => [], end: () => [answer], release: () => [answer] })
    const kept = { type: 'raw', value: answer, reason: 'unmapped' }
    const held = () => createReader({ ...echo, create }, { areAnswersRead: false })
    expect(held().end()).toContainEqual(kept)
    expect(held().close({ type: 'run-end', outcome: 'cancelled' })).toContainEqual(kept)
  })

  it('ends once, and accepts nothing afterwards', () => {
    const reader = createReader(echo)
    expect(reader.end()).toHaveLength(2)
    expect([...reader.end(), ...reader.push(record([status])), ...reader.add(status)]).toEqual([])
  })

  it('closes a stream that did not end cleanly with the given end', () => {
    const reader = createReader(echo)
    reader.push(record([{ type: 'block-start', blockId: 'b', kind: 'reasoning' }]))
    expect(reader.close({ type: 'run-end', outcome: 'cancelled' })).toEqual([
      { type: 'block-end', blockId: 'b', interrupted: true },
      { type: 'message-end', messageId: 'm1', interrupted: true },
      { type: 'run-end', outcome: 'cancelled' },
    ])
  })
})
