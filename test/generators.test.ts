import type { EventType, StreamEvent } from '@millrace/core/events'
import { eventsByType, fieldNames, requiredFields } from '@millrace/testkit/any-event'
import { situations } from '@millrace/testkit/situations'
import { wellFormed } from '@millrace/testkit/streams'
import { enums, todoStatuses, valuesOf } from '@millrace/testkit/vocabulary'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

type Fields = { readonly [field: string]: unknown }

const streams = fc.sample(wellFormed, { seed: 70, numRuns: 1000 })

const sampled: { readonly [generator: string]: readonly StreamEvent[] } = {
  'any event': eventsByType.flatMap(([, event]) => fc.sample(event, { seed: 70, numRuns: 60 })),
  'well-formed streams': streams.flat(),
}

/** The fields that every event may carry, and the types of a well-formed stream that never do, with the reason. */
const COMMON: { readonly [field: string]: readonly EventType[] } = {
  // A run belongs to no message and no agent; a retraction names its messages.
  messageId: ['run-start', 'run-end', 'message-retract', 'step-start', 'step-end', 'subagent-start', 'subagent-end'],
  agentId: ['run-start', 'run-end', 'message-retract'],
  sentAt: [],
  meta: [],
}

/** The types of the well-formed streams need not carry these, `anyEvent` does. */
const isExcused = (generator: string, type: EventType, field: string) =>
  generator === 'well-formed streams' && COMMON[field]?.includes(type) === true

const typesIn = Object.keys(fieldNames) as EventType[]

describe.each(Object.keys(sampled))('%s', (generator) => {
  const events = (sampled[generator] ?? []) as readonly (StreamEvent & Fields)[]
  const ofType = (type: EventType) => events.filter((event) => event.type === type)

  it.each(typesIn)('has %s with and without each of its fields', (type) => {
    const fields = [...(fieldNames[type] ?? []), ...Object.keys(COMMON)].filter(
      (each) => !isExcused(generator, type, each),
    )
    const missing = fields.filter((field) => !ofType(type).some((event) => event[field] !== undefined))
    const required = [...(requiredFields[type] ?? [])]
    const always = fields.filter((field) => !required.includes(field) && ofType(type).every((event) => field in event))
    expect({ missing, always }).toEqual({ missing: [], always: [] })
  })

  it('has every value of every field that is one of a few words', () => {
    const missing = Object.entries(enums).flatMap(([type, fields]) =>
      Object.entries(fields).flatMap(([field, all]) =>
        Object.keys(all)
          .filter((value) => !ofType(type as EventType).some((event) => event[field] === value))
          .map((value) => `${type}.${field}: ${value}`),
      ),
    )
    expect(missing).toEqual([])
  })

  it('has todos of every status', () => {
    const found = new Set(
      events.flatMap((event) => (event.type === 'todos' ? event.items : [])).map(({ status }) => status),
    )
    expect([...found].toSorted()).toEqual(valuesOf(todoStatuses).toSorted())
  })
})

describe('well-formed streams', () => {
  it.each(situations)('have $name', ({ isIn }) => {
    expect(streams.filter(isIn).length).toBeGreaterThanOrEqual(3)
  })
})
