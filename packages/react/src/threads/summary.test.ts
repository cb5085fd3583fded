import type { LastRun, RunInfo } from '@millrace/core/client'
import type { ChatEvent, Segment, ToolState } from '@millrace/core/fold'
import { describe, expect, it } from 'vitest'
import { englishLabels } from '../labels.ts'
import { factsText, summaryOf, type ThreadFacts, type ThreadSummary, titleOf } from './summary.ts'

const run = (change: Partial<RunInfo>): RunInfo => ({
  id: 'r',
  threadId: 't',
  state: 'ended',
  format: 'openai-responses',
  seq: 42,
  ...change,
})

const tool = (state: ToolState): Segment => ({
  type: 'tool',
  callId: 'c',
  name: 'deploy',
  runBy: 'agent',
  state,
  startedAt: 1,
  seqs: [2, 3],
})

const message = (change: Partial<ChatEvent>): ChatEvent => ({
  id: 'r/m',
  runId: 'r',
  role: 'assistant',
  state: 'done',
  startedAt: 1_000,
  endedAt: 49_000,
  seqs: [1, 9],
  segments: [],
  ...change,
})

const listed = (change: Partial<LastRun>): LastRun => ({
  id: 'r',
  state: 'ended',
  format: 'openai-responses',
  seq: 42,
  createdAt: 1_000,
  asks: false,
  ...change,
})

const thread = { id: 't', title: '', updatedAt: 5 }
const agents = [{ name: 'pilot', title: 'The pilot' }]
const rowOf = (summary: ThreadSummary) => [
  titleOf(summary.title, summary.source.format, englishLabels),
  summary.state,
  factsText(summary, agents, englishLabels),
]
const row = (lastRun: LastRun, pageFacts?: ThreadFacts) => rowOf(summaryOf({ ...thread, lastRun }, pageFacts))

describe('a row of the list', () => {
  it('gives the result of a finished run', () => {
    const done = listed({ outcome: 'success', endedAt: 49_000, agent: 'demo' })
    expect(row(listed({ outcome: 'success', endedAt: 49_000 }))[2]).toBe('OpenAI Responses · finished')
    expect(row(done)).toEqual(['OpenAI Responses run', 'done', 'OpenAI Responses · 48s'])
    expect(row({ ...done, endedAt: 1_050 })[2]).toBe('OpenAI Responses · finished')
  })

  it('says that the user is asked, unless the run has ended and its client gets the answer', () => {
    const elsewhere = row(listed({ outcome: 'awaiting-input', asks: true, agent: 'gone' }))
    expect(elsewhere.slice(1)).toEqual(['handed-over', 'OpenAI Responses · waiting for an answer from its client'])
    const recorded = row(listed({ outcome: 'awaiting-input', asks: true }))
    expect(recorded.slice(1)).toEqual(['left-open', 'OpenAI Responses · ends with a question'])
    expect(row(listed({ outcome: 'awaiting-input' }))[2]).toBe('OpenAI Responses · ends with an open call')
    for (const standing of [{ state: 'live' }, { state: 'waiting' }] as const) {
      const asking = row(listed({ ...standing, asks: true }))
      expect(asking.slice(1)).toEqual(['needs-you', 'OpenAI Responses · waiting for your answer'])
    }
  })

  it('names the agent that was picked, and the format of any other run', () => {
    expect(row(listed({ outcome: 'cancelled', agent: 'pilot' }))[2]).toBe('The pilot · stopped by you')
    expect(row(listed({ outcome: 'cancelled', agent: 'gone' }))[2]).toBe('OpenAI Responses · stopped by you')
    const page = { runs: [run({ state: 'live', agent: 'pilot' })], chatEvents: [] }
    expect(row(listed({ state: 'live', agent: 'pilot' }), page)[2]).toBe('The pilot · running')
  })

  it('says where a run was interrupted', () => {
    expect(row(listed({ outcome: 'interrupted' }))[2]).toBe('OpenAI Responses · interrupted at #42')
  })

  it('has only a title for a thread without a run', () => {
    expect(rowOf(summaryOf({ ...thread, title: 'Mine' }))).toEqual(['Mine', 'empty', 'No run yet'])
  })
})

describe('the row of a thread that is open', () => {
  it('names the tool that is asked about, not one that runs beside it', () => {
    const segments = [
      { ...tool('approval'), name: 'ask' },
      { ...tool('running'), callId: 'd', name: 'build' },
    ] as const
    const page = { runs: [run({ state: 'live' })], chatEvents: [message({ state: 'live', segments: [...segments] })] }
    expect(row(listed({ state: 'live' }), page)[2]).toBe('OpenAI Responses · approve ask')
  })

  const live = [run({ state: 'live' })]
  const using = (state: ToolState) => [message({ state: 'live', segments: [tool(state)] })]

  it('names what asks, and what runs', () => {
    const behind = listed({ state: 'live' })
    expect(row(behind, { runs: live, chatEvents: using('approval') })[2]).toBe('OpenAI Responses · approve deploy')
    expect(row(behind, { runs: live, chatEvents: using('running') })[2]).toBe('OpenAI Responses · deploy')
  })

  it('shows the end before the list has it, and is not live after the list has the end', () => {
    const ended = { runs: [run({ outcome: 'success', startedAt: 1_000, endedAt: 49_000 })], chatEvents: [message({})] }
    expect(row(listed({ state: 'live' }), ended).slice(1)).toEqual(['done', 'OpenAI Responses · 48s'])
    const over = listed({ outcome: 'cancelled', agent: 'gone' })
    expect(row(over, { runs: live, chatEvents: using('running') })[1]).toBe('stopped')
  })

  it('shows the state of the list while the page is disconnected from its run', () => {
    const stale = { runs: live, chatEvents: using('running') }
    expect(row(listed({ state: 'waiting' }), stale)[1]).toBe('live')
    expect(row(listed({ state: 'waiting' }), { ...stale, isCut: true })[1]).toBe('waiting')
    const absent = { runs: [run({ state: 'waiting' })], chatEvents: using('running') }
    expect(row(listed({ state: 'live' }), absent).slice(1)).toEqual([
      'waiting',
      'OpenAI Responses · waiting for its producer',
    ])
  })

  it('shows the run that the page has started, or one that only the list has', () => {
    const begun = { runs: [run({}), run({ id: 'next', state: 'live' })], chatEvents: [] }
    expect(row(listed({ outcome: 'success' }), begun)[1]).toBe('live')
    expect(row(listed({ id: 'foreign', outcome: 'error' }), begun)[1]).toBe('failed')
    expect(rowOf(summaryOf(thread, begun))[1]).toBe('live')
  })
})
