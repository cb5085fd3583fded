import type { StreamEvent } from '@millrace/core/events'
import { parsers } from '@millrace/core/parse'
import { detectFormat } from '@millrace/core/parse/detect'
import { recordOf } from '@millrace/core/source/source'
import { illFormed } from '@millrace/testkit/any-event'
import { holdsAsync } from '@millrace/testkit/property'
import { eventsOf, parsedOf } from '@millrace/testkit/read-recording'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { balanced, waitingRun } from '@millrace/testkit/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentEvent } from '../packages/core/src/parse/agent-event.ts'
import type { Chunk } from '../packages/core/src/wire/wire.ts'
import { chunksOf } from '../packages/core/test/wire/agent-event.ts'
import { facts } from '../proofs/wires/facts/agent-event.ts'

const recorded = Object.entries(parsers).flatMap(([name, parser]) =>
  fixturesOf(name).map((recording) => ({ name: recording.name, events: eventsOf(parser, recording.records) })),
)
const runs = [...recorded, { name: waitingRun.name, events: waitingRun.entries.map(({ event }) => event) }]

const recordsOf = (chunks: readonly Chunk[]) => chunks.map((chunk) => recordOf(JSON.stringify(chunk)))

/** The events in the chunks, before `normalize`. */
const readBack = (chunks: readonly Chunk[]) => parsedOf(agentEvent, recordsOf(chunks))

/** The only loss on the way. */
const withoutInputPieces = (events: readonly StreamEvent[]) => events.filter(({ type }) => type !== 'tool-input-delta')

/** Each delta of a block names its agent, which only the start of a block must do. */
function withSpeakers(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const agents = new Map<string, string | undefined>()
  return events.map((event) => {
    if (event.type === 'block-start') agents.set(event.blockId, event.agentId)
    const agentId = event.type === 'block-delta' ? agents.get(event.blockId) : undefined
    return agentId === undefined ? event : { ...event, agentId }
  })
}

const OF_CALLS = new Set(['tool-input', 'tool-progress', 'tool-output', 'approval'])

/** Each event of a call names its agent, which only the start of a call must do. */
function withCallers(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const agents = new Map<string, string | undefined>()
  return events.map((event) => {
    if (event.type === 'tool-start') agents.set(event.callId, event.agentId)
    const isOfCall = OF_CALLS.has(event.type) && 'callId' in event && event.callId !== undefined
    const agentId = isOfCall ? agents.get(String(event.callId)) : undefined
    return agentId === undefined ? event : { ...event, agentId }
  })
}

/** Events of a call come back with the agent that made the call. */
const withoutSpeaker = ({ agentId: _agentId, ...event }: StreamEvent) => event as StreamEvent

/** The joined deltas of each block, the patches of each open thought, which wait with it, and all other events in order. */
function withWholeBlocks(events: readonly StreamEvent[]) {
  const texts = new Map<string, string>()
  const thoughts = new Map<string, StreamEvent[]>()
  const ended = new Set<string>()
  const others = events.filter((event) => {
    if (event.type === 'block-start' && event.kind === 'reasoning') thoughts.set(event.blockId, [])
    if (event.type === 'block-end') ended.add(event.blockId)
    if (event.type === 'block-delta') texts.set(event.blockId, (texts.get(event.blockId) ?? '') + event.text)
    const patches = event.type === 'block-patch' && !ended.has(event.blockId) ? thoughts.get(event.blockId) : undefined
    patches?.push(event)
    return event.type !== 'block-delta' && patches === undefined
  })
  return { texts, thoughts, others }
}

describe('a run that is written as AgentEvents and read back', () => {
  it.each(runs)('is the same event for event, with reasoning in deltas: $name', ({ events }) => {
    const expected = withCallers(withSpeakers(withoutInputPieces(events)))
    expect(withCallers(readBack(chunksOf(events, 'deltas')))).toEqual(expected)
  })

  it.each(runs)('is the same, with each reasoning block in one piece: $name', ({ events }) => {
    const expected = withWholeBlocks(withCallers(withoutInputPieces(events)))
    expect(withWholeBlocks(withCallers(readBack(chunksOf(events))))).toEqual(expected)
  })

  it('is detected, however short', () => {
    const taken = runs.map(({ name, events }) => ({ name, ...detectFormat(parsers, recordsOf(chunksOf(events))) }))
    expect(taken.filter(({ format }) => format !== 'agent-event')).toEqual([])
  })

  it('is the same, and is accepted by the client, for any run', async () => {
    await holdsAsync(
      fc.asyncProperty(illFormed, async (some) => {
        const events = balanced(some)
        const chunks = chunksOf(events)
        for (const heard of [chunks, chunksOf(events, 'deltas')]) {
          if (typeof facts.client === 'function') await facts.client(heard)
        }
        const back = withWholeBlocks(readBack(chunks).map(withoutSpeaker))
        expect(back).toEqual(withWholeBlocks(withoutInputPieces(events).map(withoutSpeaker)))
      }),
      500,
    )
  })
})
