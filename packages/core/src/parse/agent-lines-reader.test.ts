import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ofType, recordsIn, through } from '../../test/parse.ts'
import { isStreamEvent } from '../event-shape.ts'
import type { StreamEvent } from '../events.ts'
import { createReader } from '../read/read.ts'
import type { RawRecord } from '../source/source.ts'
import { agentLines } from './agent-lines.ts'

function recording(name: string): readonly RawRecord[] {
  return recordsIn(readFileSync(new URL(`../../../../fixtures/agent-lines/${name}.jsonl`, import.meta.url)))
}

/** The events of a recording, read as a server reads it. */
function readThrough(name: string): StreamEvent[] {
  return through(createReader(agentLines), recording(name))
}

/** The texts of the lines of a recording, from the fields of all dialects. */
function textsOf(name: string): string[] {
  const lines = recording(name).map(
    ({ value }) => value as { type?: string; data?: Record<string, unknown> } | undefined,
  )
  return lines
    .filter((line) => ['text', 'delta', 'content', 'thinking', 'think'].includes(line?.type ?? ''))
    .map((line) => line?.data?.content ?? line?.data?.text ?? line?.data?.thought)
    .filter((text) => typeof text === 'string')
}

const outcomes = {
  claude: 'success',
  deepagents: 'success',
  openai: 'success',
  gemini: 'success',
  'claude-api': 'success',
  'claude-api-mixed': 'success',
  noise: 'success',
  'todo-write': 'success',
  error: 'error',
  cut: 'interrupted',
  'tool-result-without-id': 'success',
}

describe.each(Object.entries(outcomes))('the recording %s', (name, outcome) => {
  it(`S0-8, S0-9: starts once, first, and ends once, last, with ${outcome}`, () => {
    const events = readThrough(name)
    expect(events.every(isStreamEvent)).toBe(true)
    expect(ofType(events, 'run-start')).toEqual(events.slice(0, 1))
    expect(ofType(events, 'run-end')).toEqual(events.slice(-1))
    expect(events.at(-1)).toMatchObject({ outcome })
  })
})

describe('recordings read as a server reads them', () => {
  it.each(['claude', 'deepagents', 'openai', 'gemini', 'noise', 'error', 'cut'])(
    'lose no text and no thought: %s',
    (name) => {
      const deltas = ofType(readThrough(name), 'block-delta').map(({ text }) => text.trimEnd())
      expect(deltas).toEqual(textsOf(name).map((text) => text.trimEnd()))
    },
  )

  it('S0-82: shows a whole orchestrated run in its order', () => {
    const shown = readThrough('deepagents').flatMap((event): string[] => {
      if (event.type === 'block-start') return [`${event.kind} ${event.variant ?? ''}`.trim()]
      if (event.type === 'tool-start') return [`call ${event.name}`]
      if (event.type === 'tool-output') return [`${event.status} ${event.callId}`]
      if (event.type === 'todos') return [`todos ${event.meta?.millrace?.todoOp}`]
      if (event.type === 'subagent-start' || event.type === 'subagent-end') return [`${event.type} ${event.agentId}`]
      return event.type === 'status' || event.type === 'source' ? [event.type] : []
    })
    expect(shown).toEqual([
      'status',
      'todos create',
      'subagent-start agent-1',
      'subagent-start agent-2',
      'call internet_search',
      'call internet_search',
      'status',
      'ok call_lamps',
      'source',
      'source',
      'ok call_power',
      'source',
      'reasoning think-tool',
      'subagent-end agent-1',
      'subagent-end agent-2',
      'todos done',
      'call write_file',
      'ok call_report',
      'todos update',
      'text',
    ])
  })

  it('S0-25: keeps log lines and unknown types as raw, at their positions', () => {
    const raw = ofType(readThrough('noise'), 'raw')
    expect(raw.map(({ reason }) => reason)).toEqual([
      'unparsable',
      'unparsable',
      'unmapped',
      'unmapped',
      'unmapped',
      'unmapped',
      'unmapped',
      'unmapped',
      'unmapped',
    ])
    expect(raw[0]?.value).toBe('Loading agent from ./agents/baker')
    expect(raw[5]?.value).toEqual({ type: 'oven_door', data: { open: true } })
  })

  it('S0-43, S0-44: joins the streamed input of an API call and adds its result', () => {
    const events = readThrough('claude-api-mixed')
    expect(ofType(events, 'tool-input')).toMatchObject([{ callId: 'toolu_sheep', input: { field: 'north' } }])
    expect(ofType(events, 'tool-output')).toMatchObject([{ callId: 'toolu_sheep', status: 'ok', output: '61' }])
  })

  it('S0-34: ends a run with its last error, and with the times of its lines', () => {
    const events = readThrough('error')
    expect(events.at(-1)).toMatchObject({ error: { message: 'Agent error: no scale answers' } })
    expect(ofType(events, 'error').map(({ sentAt }) => sentAt)).toEqual([
      Date.UTC(2031, 4, 6, 7, 8, 10),
      Date.UTC(2031, 4, 6, 7, 8, 13),
    ])
  })

  it('S0-91: closes what is open at the end of a cut stream', () => {
    const outputs = ofType(readThrough('cut'), 'tool-output')
    expect(outputs).toMatchObject([
      { callId: 'call_fork', status: 'cancelled' },
      { callId: 'call_pin', status: 'cancelled' },
    ])
  })

  it('S0-60: shows the todos of the TodoWrite tool, with active form and pending as defaults', () => {
    const lists = ofType(readThrough('todo-write'), 'todos')
    expect(lists.map(({ callId }) => callId)).toEqual(['toolu_plan_1', 'toolu_plan_2'])
    expect(lists[0]?.items).toMatchObject([
      { content: 'Dig the bed', status: 'in_progress' },
      { content: 'Sowing peas', status: 'pending' },
    ])
  })

  it('S0-57: shows the Task tool and subagent_spawn as one subagent each, which end', () => {
    const events = readThrough('todo-write')
    const started = ofType(events, 'subagent-start')
    expect(started).toMatchObject([
      { name: 'seed-scout', callId: 'toolu_task_1' },
      { name: 'fence-scout', callId: 'toolu_task_2' },
      { name: 'soil-scout' },
    ])
    expect(ofType(events, 'subagent-end').map(({ agentId, status }) => [agentId, status])).toEqual(
      started.map(({ agentId }) => [agentId, 'done']),
    )
  })
})
