import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { type AttemptSources, attemptsAt, lastFork } from './attempts.ts'

const run = (id: string, fields: Partial<RunInfo> = {}): RunInfo => ({
  id,
  threadId: 't',
  state: 'ended',
  outcome: 'success',
  agent: 'gate',
  seq: 9,
  createdAt: 1_000,
  ...fields,
})

const events = (runId: string, question: string, model?: string): readonly ChatEvent[] => {
  const common = { runId, state: 'done', startedAt: 0, seqs: [1, 2] } as const
  const text = { type: 'text', id: 'b', text: question, state: 'done', startedAt: 0, seqs: [1, 2] } as const
  return [
    { ...common, id: `${runId}/u`, role: 'user', segments: [text] },
    {
      ...common,
      id: `${runId}/a`,
      role: 'assistant',
      segments: [],
      ...(model !== undefined && { model }),
      steps: [{ kind: 'model', seqs: [1, 2] }],
    },
  ]
}

function sourcesOf(runs: readonly RunInfo[], path: readonly RunInfo[], questions: { readonly [id: string]: string }) {
  const sources: AttemptSources = {
    runs,
    path,
    eventsOf: (id) => events(id, questions[id] ?? '', id === 'c' ? 'gpt' : 'sonnet'),
    agentTitle: (name) => (name === 'weir' ? 'Weir' : 'Gate'),
  }
  return sources
}

const first = run('a', { outcome: 'error', startedAt: 5_000, endedAt: 63_000, usage: { costUsd: 0.12 } })
const again = run('b', { state: 'live', startedAt: 70_000 })
const edited = run('c', { agent: 'weir', startedAt: 90_000, endedAt: 181_000, usage: { costUsd: 0.21 } })
const questions = { a: 'Why?', b: 'Why?', c: `Why ${'x'.repeat(80)}` }

describe('the attempts at an answer', () => {
  it('have a number, what makes them differ, model, outcome, time and cost', () => {
    const attempts = attemptsAt('b', sourcesOf([first, again, edited], [again], questions))
    expect(attempts.map(({ title, facts }) => `${title}: ${facts}`)).toEqual([
      'First answer: sonnet · failed at step 1 · 58s · $0.12',
      'Regenerated: sonnet · live',
      `Edited: “Why ${'x'.repeat(56)}…”: Weir · gpt · 1m 31s · $0.21`,
    ])
    expect(attempts.map(({ isShown, startedAt }) => [isShown, startedAt])).toEqual([
      [false, 5_000],
      [true, 70_000],
      [false, 90_000],
    ])
  })

  it('are none where there is one, and those of the last fork of the path are in the header', () => {
    const next = run('d', { afterRunId: 'b' })
    const later = run('e', { afterRunId: 'd' })
    const other = run('f', { afterRunId: 'd' })
    const runs = [first, again, next, later, other]
    const sources = sourcesOf(runs, [again, next, later], {})
    expect(attemptsAt('d', sources)).toEqual([])
    expect(lastFork(sources)).toBe('e')
    expect(lastFork({ runs, path: [again, next] })).toBe('b')
    expect(lastFork({ runs: [first], path: [first] })).toBeUndefined()
  })
})
