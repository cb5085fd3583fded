import { expect, it } from 'vitest'
import { createRunPosition } from '../src/run/run-position.ts'
import { createRunReader } from '../src/run/run-reader.ts'
import { createRunStatuses } from '../src/run/run-statuses.ts'
import { createWaits } from '../src/run/waits.ts'
import { createSleeper, until } from './run-parts.ts'

const run = { id: 'r', state: 'waiting' } as const

it('reports until when a run waits for its producer, and no time once that has passed', async () => {
  const sleeper = createSleeper()
  const statuses = createRunStatuses(expect.fail)
  const expired: string[] = []
  async function expire(runId: string): Promise<boolean> {
    expired.push(runId)
    return true
  }
  const waits = createWaits({ resumeWithin: 60_000, sleep: sleeper.sleep, now: () => 1_000, statuses, expire })
  waits.begin('r')
  expect(statuses.of(run)).toEqual({ state: 'waiting', waitUntil: 61_000 })
  sleeper.wakeAll()
  await until(() => expired.length > 0)
  expect(statuses.of(run)).toEqual({ state: 'waiting' })
})

it('keeps a bounded part of a run for its stored message, and marks it as cut', () => {
  const position = createRunPosition(createRunReader({ format: 'agent-lines', threadId: 't' }))
  position.note({ type: 'message-start', messageId: 'm', role: 'assistant' })
  position.note({ type: 'block-start', blockId: 'b', kind: 'text' })
  const text = 'x'.repeat(1024 * 1024)
  for (let count = 0; count < 10; count++) position.note({ type: 'block-delta', blockId: 'b', text })
  const { content, metadata } = position.message('t')
  expect(content.length).toBeLessThanOrEqual(8 * 1024 * 1024)
  expect(metadata).toEqual({ truncated: true })
})
