import type { RunInfo } from '@millrace/core/client'
import type { ChatEvent, Segment, ToolState } from '@millrace/core/fold/shapes'
import { describe, expect, it } from 'vitest'
import { summaryOf } from './summary.ts'

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

const thread = { id: 't', title: '', updatedAt: 5 }
const row = (runs: readonly RunInfo[], chatEvents: readonly ChatEvent[]) => {
  const { title, state, facts } = summaryOf(thread, { runs, chatEvents })
  return [title, state, facts]
}

describe('summaryOf', () => {
  it('says what a finished run came to', () => {
    const chatEvents = [message({ usage: { costUsd: 0.09 } })]
    expect(row([run({ outcome: 'success' })], chatEvents)).toEqual([
      'OpenAI Responses run',
      'done',
      'OpenAI Responses · 48s · $0.09',
    ])
  })

  it('names what asks, and what runs', () => {
    const live = [run({ state: 'live' })]
    expect(row(live, [message({ state: 'live', segments: [tool('approval')] })])[2]).toContain('approve deploy')
    expect(row(live, [message({ state: 'live', segments: [tool('running')] })]).slice(1)).toEqual([
      'live',
      'OpenAI Responses · deploy',
    ])
  })

  it('says where a run broke off', () => {
    expect(row([run({ outcome: 'interrupted' })], [])[2]).toBe('OpenAI Responses · interrupted at #42')
  })

  it('claims nothing of a thread that was not read yet', () => {
    expect(summaryOf({ ...thread, title: 'Mine' }, undefined)).toMatchObject({
      title: 'Mine',
      state: 'unknown',
      facts: '',
    })
  })
})
