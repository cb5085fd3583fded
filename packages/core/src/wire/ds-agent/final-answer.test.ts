import { describe, expect, it } from 'vitest'
import { answerOf, finalAnswer } from './final-answer.ts'

const answer = { title: 'Tide', content: 'At **six**.', sources: ['https://tides.example/'] }
const fields = {
  has_structured_data: true,
  answer_title: 'Tide',
  answer_content: 'At **six**.',
  answer_sources: ['https://tides.example/'],
  answer_format: 'json',
}
const markdown = { has_structured_data: false, answer_format: 'markdown' }

describe('answerOf', () => {
  it.each([
    ['JSON', JSON.stringify(answer)],
    ['JSON over several lines', JSON.stringify(answer, null, 2)],
    ['a JSON string that contains JSON', JSON.stringify(JSON.stringify(answer))],
    ['what Python prints', "{'title': 'Tide', 'content': 'At **six**.', 'sources': ['https://tides.example/']}"],
    [
      'a JSON string that contains what Python prints',
      JSON.stringify("{'title': 'Tide', 'content': 'At **six**.', 'sources': ('https://tides.example/',)}"),
    ],
    ['JSON behind a prefix', `**Final answer:**\n${JSON.stringify(answer)}`],
    ['JSON behind a bare prefix', `Final answer: ${JSON.stringify(answer)}`],
    ['JSON in a fence', `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``],
  ])('S2-44: finds title, content and sources in %s', (_case, text) => {
    expect(answerOf(text)).toEqual({ content: '', fields })
  })

  it.each([
    ['plain text', 'At six.', 'At six.'],
    ['text after a prefix', '**Final answer:** At six.', 'At six.'],
    ['JSON that is cut', '{"title":"Tide","con', '{"title":"Tide","con'],
    ['a dictionary that is not valid', "{'title': tide}", "{'title': tide}"],
    ['data without any of the three fields', '{"depth":4}', '{"depth":4}'],
    ['fields of other types', '{"title":1,"content":null,"sources":"x"}', '{"title":1,"content":null,"sources":"x"}'],
    ['a list', '[1]', '[1]'],
    ['a quoted sentence', '"At six," she said.', '"At six," she said.'],
    ['nothing', '', ''],
  ])('S2-44: leaves %s as markdown', (_case, text, content) => {
    expect(answerOf(text)).toEqual({ content, fields: markdown })
  })

  it('S2-44: fills in missing fields of an answer', () => {
    expect(answerOf('{"content":"At six."}').fields).toMatchObject({ answer_title: 'Final answer', answer_sources: [] })
    expect(answerOf('{"title":"Tide"}').fields).toMatchObject({ answer_content: '', has_structured_data: true })
  })

  it('S2-44: names a source by its address, otherwise by its title', () => {
    const sources = [{ url: 'https://a.example/', title: 'A' }, { title: 'B' }, { depth: 4 }, 'C']
    expect(answerOf(JSON.stringify({ content: 'x', sources })).fields.answer_sources).toEqual([
      'https://a.example/',
      'B',
      '{"depth":4}',
      'C',
    ])
  })

  it('leaves an answer that is nested too deeply as markdown', () => {
    const text = `{'content': ${'['.repeat(10_000)}`
    expect(answerOf(text).content).toBe(text)
  })
})

const template = finalAnswer({ kind: 'final', number: 4 })
const structured = '{"title":"Tide","content":"At **six**.","sources":["https://tides.example/"]}'

describe('a final answer step', () => {
  it('S2-31: is one message, in the chat', () => {
    expect(template.whole('At six.', false)).toEqual({
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

  it('S2-19: has a structured answer in fields, and no content', () => {
    expect(template.whole(structured, false)).toMatchObject({
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

  it('S2-35: has the whole text if it was streamed, structured or not', () => {
    expect(template.whole(structured, true)).toMatchObject({
      content: structured,
      metadata: { has_structured_data: true, answer_title: 'Tide' },
    })
  })
})
