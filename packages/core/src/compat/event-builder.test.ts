import { eventsOf } from '@millrace/testkit/read-recording'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { fold } from '../fold/fold.ts'
import { eventSegments } from '../parse/event-segments.ts'
import { type Event, EventBuilder } from './event-builder.ts'

function build() {
  const drafts: Event[] = []
  const store = new Map<string, Event>()
  let time = 100
  const wait = () => void time++
  const builder = new EventBuilder({
    placeholderEventId: 'placeholder',
    onUpdate: (draft) => drafts.push(draft),
    onFinalize: (event) => store.set(event.id, event),
    now: () => time,
  })
  return { builder, drafts, store, wait, draft: () => drafts.at(-1) as Event }
}

const part = (text: string, sequence_number: number, is_complete = false) => ({
  summary_index: 0,
  text,
  is_complete,
  sequence_number,
})

/** What a person sees of an Event, read back by the parser of stored Events. */
function pictureOf(event: Event) {
  const records = [{ value: JSON.parse(JSON.stringify(event)), text: '' }]
  const [chatEvent] = fold(entriesOf(eventsOf(eventSegments, records as never))).chatEvents
  return chatEvent?.segments.map((segment) => {
    if (segment.type === 'tool') return [segment.name, segment.input, segment.output, segment.error, segment.state]
    return 'text' in segment ? [segment.type, segment.text] : [segment.type]
  })
}

describe('the builder of Events, under the names and types of its system', () => {
  it('S3-3, S3-15, S3-24: assembles an Event of the shape that the store holds', () => {
    const { builder, store, wait } = build()
    builder.startAssistantEvent('server-1', { model: 'm-1', openai_response_id: 'r-1' })
    wait()
    builder.upsertReasoningPart(part('Ask for ', 1))
    wait()
    builder.upsertReasoningPart(part('the tide.', 2))
    builder.startToolCall({ id: 'call-1', name: 'get_tide' })
    wait()
    builder.finalizeToolArgs({ id: 'call-1', args: { harbour: 'Millport' } })
    builder.completeTool({ id: 'call-1', output: { high: '06:12' } })
    builder.appendTextDelta('Leave at ')
    builder.appendTextDelta('06:12.')
    builder.finalizeCurrentEvent()
    expect([...store.values()]).toEqual([
      {
        id: 'placeholder',
        role: 'assistant',
        ts: 100,
        response_metadata: { model: 'm-1', openai_response_id: 'r-1' },
        segments: [
          {
            type: 'reasoning',
            id: 'placeholder/1',
            output_index: 0,
            sequence_number: 2,
            parts: [
              {
                summary_index: 0,
                type: 'summary_text',
                text: 'Ask for the tide.',
                sequence_number: 2,
                is_complete: true,
                created_at: 101,
              },
            ],
            streaming: false,
            started_at: 101,
            completed_at: 102,
          },
          {
            type: 'tool_call',
            id: 'call-1',
            name: 'get_tide',
            args: { harbour: 'Millport' },
            started_at: 102,
            completed_at: 103,
          },
          { type: 'tool_result', id: 'call-1', output: { high: '06:12' }, completed_at: 103 },
          { type: 'text', id: 'placeholder/2', text: 'Leave at 06:12.' },
        ],
      },
    ])
  })

  it('a stored Event, read back, shows what was built', () => {
    const { builder, store } = build()
    builder.upsertReasoningPart(part('Hm.', 1, true))
    builder.appendTextDelta('Let me see.')
    builder.startToolCall({ id: 'a', name: 'get_tide' })
    builder.startToolCall({ id: 'b', name: 'get_wind' })
    builder.completeTool({ id: 'b', error: 'offline' })
    builder.completeTool({ id: 'a', output: { high: '06:12' } })
    builder.setBuiltInToolStatus({ id: 'c', type: 'code_interpreter_call', status: 'completed', code: 'print(1)' })
    builder.appendTextDelta('Done.')
    builder.finalizeCurrentEvent()
    expect(pictureOf(store.get('placeholder') as Event)).toEqual([
      ['reasoning', 'Hm.'],
      ['text', 'Let me see.'],
      ['get_tide', {}, { high: '06:12' }, undefined, 'done'],
      ['get_wind', {}, {}, 'offline', 'failed'],
      ['code_interpreter', { code: 'print(1)' }, null, undefined, 'done'],
      ['text', 'Done.'],
    ])
  })

  it('S3-12: segments are in the order of their arrival, a result where it came', () => {
    const { builder, draft } = build()
    builder.startToolCall({ id: 'a', name: 'get_tide' })
    builder.startToolCall({ id: 'b', name: 'get_wind' })
    builder.appendTextDelta('Both asked.')
    builder.completeTool({ id: 'b', output: {} })
    builder.completeTool({ id: 'a', output: {} })
    builder.completeTool({ id: 'a', output: { late: true } })
    expect(draft().segments.map((segment) => `${segment.type} ${'id' in segment ? segment.id : ''}`)).toEqual([
      'tool_call a',
      'tool_call b',
      'text placeholder/1',
      'tool_result b',
      'tool_result a',
    ])
  })

  it('S3-26, S3-37: reasoning streams until another segment begins', () => {
    const { builder, draft } = build()
    const streaming = () => draft().segments.flatMap((segment) => ('parts' in segment ? [segment.streaming] : []))
    builder.upsertReasoningPart(part('one', 1))
    expect([streaming(), draft().segments[0]]).toMatchObject([[true], { streaming_part_index: 0 }])
    builder.startToolCall({ id: 'a', name: 'get_tide' })
    expect(streaming()).toEqual([false])
    builder.upsertReasoningPart(part('one', 3, true))
    expect(streaming()).toEqual([false])
    builder.upsertReasoningPart({ ...part('two', 4), summary_index: 1 })
    expect(streaming()).toEqual([false, true])
  })

  it('S3-22: a tool that the provider runs goes from status to status, with its code', () => {
    const { builder, draft } = build()
    const seen = (['in_progress', 'searching', 'completed'] as const).map((status) => {
      builder.setBuiltInToolStatus({ id: 'w', type: 'web_search_call', status })
      return draft().segments
    })
    builder.setBuiltInToolStatus({ id: 'c', type: 'code_interpreter_call', status: 'interpreting', code: 'print(1)' })
    builder.setBuiltInToolStatus({ id: 'x', type: 'web_search_call', status: 'failed' })
    expect(seen).toMatchObject([
      [{ type: 'web_search_call', id: 'w', status: 'in_progress', streaming: true }],
      [{ type: 'web_search_call', id: 'w', status: 'searching', streaming: true }],
      [{ type: 'web_search_call', id: 'w', status: 'completed', streaming: false }],
    ])
    expect(draft().segments).toMatchObject([
      { type: 'web_search_call', output_index: 0 },
      { type: 'code_interpreter_call', id: 'c', status: 'interpreting', code: 'print(1)', output_index: 1 },
      { type: 'web_search_call', id: 'x', status: 'failed' },
    ])
  })

  it('S3-39, S3-40: a second Event leaves the first as it is, and what is cut off is interrupted', () => {
    const { builder, store } = build()
    builder.appendTextDelta('one')
    builder.startAssistantEvent('second')
    builder.startToolCall({ id: 'a', name: 'get_tide' })
    builder.interruptCurrentEvent()
    expect([...store.values()]).toMatchObject([
      { id: 'placeholder', segments: [{ type: 'text', text: 'one' }] },
      {
        id: 'second',
        response_metadata: { completion_status: 'interrupted' },
        segments: [{ type: 'tool_call' }, { type: 'tool_result', output: {}, error: 'cancelled' }],
      },
    ])
    expect(store.get('placeholder')).not.toHaveProperty('response_metadata')
  })

  it('a draft never changes, and a later one shares the segments that did not change', () => {
    const { builder, drafts } = build()
    builder.appendTextDelta('one')
    builder.startToolCall({ id: 'a', name: 'get_tide' })
    const before = JSON.stringify(drafts)
    builder.completeTool({ id: 'a', output: {} })
    builder.appendTextDelta('two')
    expect(JSON.stringify(drafts.slice(0, 2))).toBe(before)
    const [text, , result] = drafts.at(-2)?.segments ?? []
    expect(drafts.at(-1)?.segments[0]).toBe(text)
    expect(drafts.at(-1)?.segments[2]).toBe(result)
  })
})

it('S3-48, S3-51: each step of the builder can be logged, in order', () => {
  const steps: string[] = []
  const builder = new EventBuilder({ placeholderEventId: 'p', log: (step, id) => steps.push(`${step} ${id}`) })
  builder.startAssistantEvent('e1')
  builder.upsertReasoningPart(part('Tide ', 1))
  builder.upsertReasoningPart(part('first.', 2, true))
  builder.startToolCall({ id: 'c1', name: 'get_tide' })
  builder.finalizeToolArgs({ id: 'c1', args: {} })
  builder.completeTool({ id: 'c1', output: {} })
  builder.finalizeCurrentEvent()
  expect(steps).toEqual([
    'startEvent e1',
    'reasoningAdd 0',
    'reasoningDone 0',
    'toolStart c1',
    'toolFinalized c1',
    'toolComplete c1',
    expect.stringMatching(/^finalizeEvent /),
  ])
})
