import { describe, expect, it } from 'vitest'
import { englishLabels } from '../labels.ts'
import { type LivenessFacts, livenessOf } from './liveness.ts'

const facts: LivenessFacts = {
  state: 'live',
  connection: 'live',
  retryInMs: 0,
  silentMs: 0,
  isToolRunning: false,
  endedAt: 0,
  now: new Date(2026, 5, 17, 12).getTime(),
}
const livenessText = (change: Partial<LivenessFacts>) => {
  const { text, tone } = livenessOf({ ...facts, ...change }, englishLabels)
  return `${tone}: ${text}`
}

describe('livenessOf', () => {
  it('does not mention a short silence', () => {
    expect(livenessText({ silentMs: 4_900 })).toBe('live: Streaming')
  })

  it('distinguishes a slow tool from a silent model', () => {
    expect(livenessText({ silentMs: 12_000 })).toBe('live: Model silent 12 s')
    expect(livenessText({ silentMs: 94_000, isToolRunning: true })).toBe('live: Model silent 94 s · tool running')
    expect(livenessText({ silentMs: 94_000 })).toBe('warn: Model silent 94 s · nothing running')
  })

  it('says when it tries to connect again', () => {
    expect(livenessText({ connection: 'waiting', retryInMs: 1_800 })).toBe(
      'bad: Server unreachable, trying again in 2 s',
    )
    expect(livenessText({ connection: 'offline', retryInMs: -5 })).toBe('bad: Offline, trying again…')
  })

  it('says that the producer is gone, and how long the run waits for it', () => {
    expect(livenessText({ state: 'waiting', waitMs: 48_400 })).toBe('bad: Waiting for its producer, for 48 s more')
    expect(livenessText({ state: 'waiting', waitMs: -3 })).toBe('bad: Waiting for its producer')
    expect(livenessText({ state: 'waiting' })).toBe('bad: Waiting for its producer')
    expect(livenessText({ state: 'waiting', connection: 'offline', retryInMs: 1_000 })).toContain('Offline')
  })

  it('asks for an answer if a question is open, unless the connection is broken', () => {
    expect(livenessText({ state: 'needs-you' })).toBe('warn: Waiting for your answer')
    expect(livenessText({ state: 'needs-you', connection: undefined })).toBe('warn: Waiting for your answer')
    expect(livenessText({ state: 'needs-you', connection: 'offline', retryInMs: 1_000 })).toContain('Offline')
  })

  it('ignores the connection of an ended run', () => {
    expect(livenessText({ state: 'done', connection: 'failed' })).toBe('quiet: Finished')
    expect(livenessText({ state: 'failed', connection: 'ended' })).toBe('bad: Failed')
  })

  it('says when a run ended', () => {
    const endedAt = new Date(2026, 5, 17, 0, 9).getTime()
    expect(livenessText({ state: 'done', connection: 'ended', endedAt })).toBe('quiet: Finished 00:09')
    const recorded = new Date(2025, 5, 1, 10, 0).getTime()
    expect(livenessText({ state: 'done', endedAt: recorded })).toBe('quiet: Finished Jun 1, 2025, 10:00')
  })
})
