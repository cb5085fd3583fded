import type { StreamEvent } from '@millrace/core/events'
import { balance } from '@millrace/core/normalize/balance'
import { illFormed } from '@millrace/testkit/any-event'
import { problemsOf } from '@millrace/testkit/balance'
import { holds } from '@millrace/testkit/property'
import { balanced, runPasses } from '@millrace/testkit/runs'
import { wellFormed } from '@millrace/testkit/streams'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const RUNS = 250

describe('balance', () => {
  it('makes any sequence of events well-formed', () => {
    holds(
      fc.property(illFormed, (events) => {
        expect(problemsOf(balanced(events))).toEqual([])
      }),
      1_500,
    )
  })

  it('leaves a well-formed stream as it is', () => {
    holds(
      fc.property(wellFormed, (events) => {
        expect(problemsOf(events)).toEqual([])
        expect(balanced(events)).toEqual(events)
      }),
      RUNS,
    )
  })

  it('closes a well-formed stream wherever it is cut, and changes nothing before the cut', () => {
    holds(
      fc.property(wellFormed, fc.nat(), (events, at) => {
        const prefix = events.slice(0, at % events.length)
        const closed = balanced(prefix)
        expect(closed.slice(0, prefix.length)).toEqual(prefix)
        expect(problemsOf(closed)).toEqual([])
      }),
      RUNS,
    )
  })

  it('leaves its own output as it is', () => {
    holds(
      fc.property(illFormed, (events) => {
        const once = balanced(events)
        expect(runPasses([balance], once)).toEqual(once)
      }),
      RUNS,
    )
  })

  it('removes no text, no output and no input', () => {
    holds(
      fc.property(illFormed, (events) => {
        const kept = contentOf(balanced(events))
        for (const content of contentOf(events)) expect(kept).toContain(content)
      }),
      RUNS,
    )
  })

  it('starts another block if one that has text starts again before its end', () => {
    const start = { type: 'block-start', blockId: 'b', kind: 'text' } as const
    const delta = { type: 'block-delta', blockId: 'b', text: 'a' } as const
    const blocks = balanced([start, delta, start, delta]).filter(({ type }) => type.startsWith('block-'))
    expect(blocks.map((event) => `${event.type} ${'blockId' in event && event.blockId}`)).toEqual([
      'block-start b',
      'block-delta b',
      'block-end b',
      'block-start b~2',
      'block-delta b~2',
      'block-end b~2',
    ])
  })

  it('adds an answer to the call of its question; after the output the question has expired', () => {
    const question = { type: 'approval', approvalId: 'a', callId: 'c', state: 'requested' } as const
    const call = { type: 'tool-start', callId: 'c', name: 'search', runBy: 'agent' } as const
    const output = { type: 'tool-output', callId: 'c', status: 'ok', output: 1 } as const
    const answer = { type: 'approval', approvalId: 'a', state: 'approved' } as const
    const approvalsIn = (events: readonly StreamEvent[]) => events.filter(({ type }) => type === 'approval')
    expect(approvalsIn(balanced([call, question, answer, output]))).toEqual([question, { ...question, ...answer }])
    const late = balanced([call, question, output, answer])
    expect(approvalsIn(late)).toEqual([question, { ...question, state: 'expired', reason: 'went-on' }])
    expect(late).toContainEqual({ type: 'raw', value: answer, reason: 'unmapped' })
  })
})

/** What the output must contain, as itself or inside a `raw` event. */
function contentOf(events: readonly StreamEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'raw') return contentOf([event.value as unknown as StreamEvent].filter(isObject))
    if (event.type === 'block-delta') return event.text === '' ? [] : [`text ${event.text}`]
    if (event.type === 'tool-output') return [`output ${JSON.stringify(event.output)}`]
    return event.type === 'tool-input' && event.input !== undefined ? [`input ${JSON.stringify(event.input)}`] : []
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
