import { describe, expect, it } from 'vitest'
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
const said = (change: Partial<LivenessFacts>) => {
  const { words, tone } = livenessOf({ ...facts, ...change })
  return `${tone}: ${words}`
}

describe('livenessOf', () => {
  it('does not mention a short silence', () => {
    expect(said({ silentMs: 4_900 })).toBe('live: Streaming')
  })

  it('tells a slow tool from a silent model', () => {
    expect(said({ silentMs: 12_000 })).toBe('live: Model silent 12 s')
    expect(said({ silentMs: 94_000, isToolRunning: true })).toBe('live: Model silent 94 s · tool running')
    expect(said({ silentMs: 94_000 })).toBe('warn: Model silent 94 s · nothing running')
  })

  it('says when it tries to connect again', () => {
    expect(said({ connection: 'waiting', retryInMs: 1_800 })).toBe('bad: Server gone, trying again in 2 s')
    expect(said({ connection: 'offline', retryInMs: -5 })).toBe('bad: Offline, trying again…')
  })

  it('says that the producer is gone, and how long it is waited for', () => {
    expect(said({ state: 'waiting', waitMs: 48_400 })).toBe('bad: Waiting for its producer, for 48 s more')
    expect(said({ state: 'waiting', waitMs: -3 })).toBe('bad: Waiting for its producer')
    expect(said({ state: 'waiting' })).toBe('bad: Waiting for its producer')
    expect(said({ state: 'waiting', connection: 'offline', retryInMs: 1_000 })).toContain('Offline')
  })

  it('calls a person where a question is open, unless the connection is the trouble', () => {
    expect(said({ state: 'needs-you' })).toBe('warn: Waiting for your answer')
    expect(said({ state: 'needs-you', connection: undefined })).toBe('warn: Waiting for your answer')
    expect(said({ state: 'needs-you', connection: 'offline', retryInMs: 1_000 })).toContain('Offline')
  })

  it('shows nothing of a connection that an ended run does not need', () => {
    expect(said({ state: 'done', connection: 'failed' })).toBe('quiet: Finished')
    expect(said({ state: 'failed', connection: 'ended' })).toBe('bad: Failed')
  })

  it('says when a run ended', () => {
    const endedAt = new Date(2026, 5, 17, 0, 9).getTime()
    expect(said({ state: 'done', connection: 'ended', endedAt })).toBe('quiet: Finished 00:09')
    const recorded = new Date(2025, 5, 1, 10, 0).getTime()
    expect(said({ state: 'done', endedAt: recorded })).toBe('quiet: Finished Jun 1, 2025, 10:00')
  })
})
