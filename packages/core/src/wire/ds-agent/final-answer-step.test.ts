import { describe, expect, it } from 'vitest'
import { finalAnswer } from './final-answer-step.ts'

const speech = finalAnswer({ kind: 'final', number: 4 })
const structured = '{"title":"Tide","content":"At **six**.","sources":["https://tides.example/"]}'

describe('a final answer step', () => {
  it('S2-31: is one message, in the chat', () => {
    expect(speech.whole('At six.', false)).toEqual({
      content: 'At six.',
      metadata: {
        component: 'chat',
        message_type: 'final_answer',
        step_type: 'final_answer',
        step_number: 4,
        agent_status: 'writing',
        is_final_answer: true,
        is_active: false,
        has_structured_data: false,
        answer_format: 'markdown',
      },
    })
  })

  it('S2-19: tells a structured answer in fields, and has no words of its own', () => {
    expect(speech.whole(structured, false)).toMatchObject({
      content: '',
      metadata: {
        has_structured_data: true,
        answer_title: 'Tide',
        answer_content: 'At **six**.',
        answer_sources: ['https://tides.example/'],
        answer_format: 'json',
      },
    })
  })

  it('S2-35: has all words where the client has seen them come, structured or not', () => {
    expect(speech.whole(structured, true)).toMatchObject({
      content: structured,
      metadata: { has_structured_data: true, answer_title: 'Tide' },
    })
  })
})
