import { describe, expect, it } from 'vitest'
import { englishLabels } from '../labels.ts'
import { type LivenessFacts, livenessOf } from './liveness.ts'

const facts: LivenessFacts = {
  state: 'live',
  connection: 'live',
  retryInMs: 0,
  silentMs: 0,
  toolMs: undefined,
  questions: 0,
  askedMs: 0,
  endedAt: 0,
  seq: 1_284,
  now: new Date(2026, 5, 17, 12).getTime(),
}
const livenessText = (change: Partial<LivenessFacts>) => {
  const { text, tone, facts: more = [], action } = livenessOf({ ...facts, ...change }, englishLabels)
  return `${tone}: ${[text, ...more, ...(action === undefined ? [] : [`[${action}]`])].join(' · ')}`
}

describe('livenessOf', () => {
  it('does not mention a short silence', () => {
    expect(livenessText({ silentMs: 4_900 })).toBe('live: Streaming')
  })

  it('distinguishes a slow tool, a model that thinks, and a model that has stopped', () => {
    expect(livenessText({ silentMs: 12_000 })).toBe('live: Model silent 12s')
    expect(livenessText({ silentMs: 38_000, usualMs: 9_000 })).toBe('live: Model silent 38s · usually 9s')
    expect(livenessText({ silentMs: 94_000, toolMs: 130_000 })).toBe('live: Model silent 1m 34s · tool running 2m 10s')
    expect(livenessText({ silentMs: 59_900, usualMs: 9_000 })).toContain('live: ')
    expect(livenessText({ silentMs: 60_000, usualMs: 9_000 })).toBe(
      'warn: Model silent 1m 0s · nothing running · [stop]',
    )
  })

  it('says when it tries to connect again, and that nothing is lost', () => {
    expect(livenessText({ connection: 'waiting', retryInMs: 1_800 })).toBe(
      'bad: Server unreachable, trying again in 2 s · nothing is lost',
    )
    expect(livenessText({ connection: 'offline', retryInMs: -5 })).toBe('bad: Offline, trying again… · nothing is lost')
  })

  it('says that the producer is gone, and how long the run waits for it', () => {
    expect(livenessText({ state: 'waiting', waitMs: 48_400 })).toBe(
      'bad: Waiting for its producer, for 48 s more · last entry #1,284',
    )
    expect(livenessText({ state: 'waiting', waitMs: -3 })).toBe('bad: Waiting for its producer · last entry #1,284')
    expect(livenessText({ state: 'waiting' })).toBe('bad: Waiting for its producer · last entry #1,284')
    expect(livenessText({ state: 'waiting', connection: 'offline', retryInMs: 1_000 })).toContain('Offline')
  })

  it('asks for an answer if a question is open, unless the connection is broken', () => {
    const asked = { state: 'needs-you', questions: 1, askedMs: 12_300 } as const
    expect(livenessText(asked)).toBe('warn: Waiting for you 12s · 1 question')
    expect(livenessText({ ...asked, questions: 3, connection: undefined })).toBe(
      'warn: Waiting for you 12s · 3 questions',
    )
    expect(livenessText({ state: 'needs-you' })).toBe('warn: Waiting for your answer')
    expect(livenessText({ ...asked, connection: 'offline', retryInMs: 1_000 })).toContain('Offline')
  })

  it('ignores the connection of an ended run', () => {
    expect(livenessText({ state: 'done', connection: 'failed' })).toBe('quiet: Finished · 1,284 entries')
    expect(livenessText({ state: 'failed', connection: 'ended' })).toBe('bad: Failed · last entry #1,284 · [continue]')
  })

  it('says what is left of a run that did not end by itself', () => {
    expect(livenessText({ state: 'stopped' })).toBe('quiet: Stopped by you · at #1,284 · the answer is kept')
    expect(livenessText({ state: 'interrupted' })).toBe('bad: Interrupted · last entry #1,284 · [continue]')
    expect(livenessText({ state: 'empty', seq: 0 })).toBe('quiet: No run yet')
  })

  it('has another text for each of its states', () => {
    const states: readonly Partial<LivenessFacts>[] = [
      {},
      { silentMs: 12_000, toolMs: 41_000 },
      { silentMs: 38_000, usualMs: 9_000 },
      { silentMs: 72_000 },
      { state: 'needs-you', questions: 1, askedMs: 12_000 },
      { state: 'interrupted' },
      { connection: 'offline', retryInMs: 2_000 },
      { state: 'done', endedAt: 1, durationMs: 158_000 },
      { state: 'stopped', endedAt: 1 },
    ]
    expect(new Set(states.map((each) => livenessText(each).replace(/\d/g, ''))).size).toBe(states.length)
  })

  it('says when a run ended', () => {
    const endedAt = new Date(2026, 5, 17, 0, 9).getTime()
    expect(livenessText({ state: 'done', connection: 'ended', endedAt })).toBe('quiet: Finished 00:09 · 1,284 entries')
    const recorded = new Date(2025, 5, 1, 10, 0).getTime()
    expect(livenessText({ state: 'done', endedAt: recorded })).toBe(
      'quiet: Finished Jun 1, 2025, 10:00 · 1,284 entries',
    )
  })
})
