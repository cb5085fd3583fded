import { isStreamEvent } from '@millrace/core/event-shape'
import type { StreamEvent } from '@millrace/core/events'
import { eventsByType, requiredFields } from '@millrace/testkit/any-event'
import { holds } from '@millrace/testkit/property'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const RUNS = 20

/** Fields that may hold any JSON value. */
const ANYTHING = ['input', 'output', 'result', 'value', 'data', 'request', 'answer']

describe('the shape of events', () => {
  for (const [type, arbitrary] of eventsByType) {
    it(`${type} is accepted, with each of its fields`, () => {
      holds(
        fc.property(arbitrary, (event) => isStreamEvent(event)),
        RUNS,
      )
    })

    it(`${type} is refused without a required field, or with a field of another type`, () => {
      holds(
        fc.property(arbitrary, (event) => {
          for (const [how, wrong] of damaged(event)) expect(isStreamEvent(wrong), how).toBe(false)
        }),
        RUNS,
      )
    })
  }
})

function damaged(event: StreamEvent): [string, unknown][] {
  const missing = (requiredFields[event.type] ?? []).map((field): [string, unknown] => {
    const otherFields = Object.entries(event).filter(([name]) => name !== field)
    return [`without ${field}`, Object.fromEntries(otherFields)]
  })
  const wrong = Object.entries(event)
    .filter(([field]) => !ANYTHING.includes(field))
    .map(([field, value]): [string, unknown] => [`${field} of another kind`, { ...event, [field]: otherThan(value) }])
  return [...missing, ...wrong]
}

function otherThan(value: unknown): unknown {
  return typeof value === 'number' ? 'seven' : 7
}
