import { describe, expect, it } from 'vitest'
import { adaptToolEvent, type ToolEvent } from './tool-events.ts'

describe('the events of an agent for the events of its tool', () => {
  it('S1-12 S1-21: every progress becomes tool_progress, whatever its data are', () => {
    const values = ['text', { subtype: 'stdout_chunk', content: 'a\n' }, null, [1, { deep: true }]]
    const adapted = values.map((data) => adaptToolEvent({ type: 'progress', toolName: 'fetch_chart', data }))
    expect(adapted).toEqual(values.map((data) => ({ type: 'tool_progress', toolName: 'fetch_chart', data })))
  })

  it('S1-13 S1-22: a result becomes tool_result, and has `isError` only if the tool set it', () => {
    const result = { type: 'result', toolName: 'fetch_chart', output: 'Chart 7' } as const
    expect(adaptToolEvent(result)).toStrictEqual({ type: 'tool_result', toolName: 'fetch_chart', output: 'Chart 7' })
    expect(adaptToolEvent({ ...result, isError: true })).toStrictEqual({
      type: 'tool_result',
      toolName: 'fetch_chart',
      output: 'Chart 7',
      isError: true,
    })
  })

  it('S1-35: contain no field that the agent event does not have', () => {
    const stray = { type: 'progress', toolName: 't', data: 1, output: 'x', secret: 'y' } as ToolEvent
    expect(Object.keys(adaptToolEvent(stray))).toEqual(['type', 'toolName', 'data'])
    const other = { type: 'result', toolName: 't', output: 'x', data: 1, secret: 'y' } as ToolEvent
    expect(Object.keys(adaptToolEvent(other))).toEqual(['type', 'toolName', 'output'])
  })
})
