import { describe, expect, it } from 'vitest'
import { EventBuilder } from '../event-builder.ts'
import type { ChatEvent, ToolSegment } from '../shapes.ts'

function build() {
  const drafts: ChatEvent[] = []
  const builder = new EventBuilder({ placeholderEventId: 'p', onUpdate: (draft) => drafts.push(draft) })
  return { builder, drafts, draft: () => drafts.at(-1) as ChatEvent }
}

describe('built-in tools', () => {
  const toolOf = (event: ChatEvent) => event.segments[0] as ToolSegment

  it('S3-22, S3-36: a web search goes from in progress to searching to completed and never back', () => {
    const { builder, draft } = build()
    const statuses = [
      'in_progress',
      'searching',
      'in_progress',
      'searching',
      'completed',
      'searching',
      'failed',
    ] as const
    const states = statuses.map((status) => {
      builder.setBuiltInToolStatus({ id: 'w1', type: 'web_search_call', status })
      return toolOf(draft()).state
    })
    expect(states).toEqual(['input', 'running', 'running', 'running', 'done', 'done', 'done'])
    expect(draft().segments).toHaveLength(1)
    expect(toolOf(draft())).toMatchObject({ name: 'web_search', runBy: 'provider' })
    expect(toolOf(draft()).progress).toEqual([{ channel: 'data', data: { status: 'searching' } }])
  })

  it('S3-22: a code interpreter shows its code whenever it arrives, and keeps running meanwhile', () => {
    const { builder, draft } = build()
    const set = (status: 'interpreting' | 'completed', code?: string) => {
      builder.setBuiltInToolStatus({
        id: 'c1',
        type: 'code_interpreter_call',
        status,
        ...(code !== undefined && { code }),
      })
      return [toolOf(draft()).state, toolOf(draft()).input]
    }
    expect(set('interpreting')).toEqual(['running', {}])
    expect(set('interpreting', 'print(1)')).toEqual(['running', { code: 'print(1)' }])
    expect(set('completed', 'print(1)')).toEqual(['done', { code: 'print(1)' }])
    expect(set('completed', 'print(2)')).toEqual(['done', { code: 'print(1)' }])
    expect(toolOf(draft()).progress?.at(-1)).toEqual({ channel: 'data', data: { code: 'print(2)' } })
  })

  it('S3-22: a failed built-in tool has the state failed', () => {
    const { builder, draft } = build()
    builder.setBuiltInToolStatus({ id: 'w1', type: 'web_search_call', status: 'failed' })
    expect(toolOf(draft())).toMatchObject({ state: 'failed', error: 'web_search_call failed' })
  })
})

describe('a step of the agent', () => {
  it('fold-step, fold-content: a thought, its tool with the output, and the text that follows while it streams', () => {
    const { builder, draft } = build()
    builder.upsertReasoningPart({ summary_index: 0, text: 'fetch it', is_complete: true, sequence_number: 1 })
    builder.startToolCall({ id: 'tc', name: 'fetch' })
    builder.completeTool({ id: 'tc', output: 'page' })
    builder.appendTextDelta('It')
    builder.appendTextDelta(' says')
    expect(draft().segments).toMatchObject([
      { type: 'reasoning', text: 'fetch it', state: 'done' },
      { type: 'tool', callId: 'tc', state: 'done', output: 'page' },
      { type: 'text', text: 'It says', state: 'live' },
    ])
  })

  it('fold-toolerr: a tool that fails does not end the Event', () => {
    const { builder, draft } = build()
    builder.startToolCall({ id: 'tc', name: 'fetch' })
    builder.completeTool({ id: 'tc', error: 'refused' })
    builder.appendTextDelta('I could not.')
    expect(draft()).toMatchObject({
      state: 'live',
      segments: [{ state: 'failed', error: 'refused' }, { state: 'live' }],
    })
  })
})
