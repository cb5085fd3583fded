import { readAnswer, withoutAnswerPrefix } from '../../data/structured-answer.ts'
import type { JsonObject } from '../../json.ts'
import { headOf, type MessageTemplate, type Step } from './message.ts'

/**
 * The answer. A structured answer is sent as fields and has no content, unless its text was streamed: the last message of
 * a stream contains the whole text.
 */
export function finalAnswer(step: Step): MessageTemplate {
  const first = (is_active: boolean) => ({
    ...headOf('final_answer', { kind: 'final-answer' }, { kind: 'final', number: step.number }),
    agent_status: 'writing',
    is_final_answer: true,
    is_active,
  })
  return {
    type: 'final_answer',
    metadata: () => first(true),
    whole(text, isStreamed) {
      const { content, fields } = answerOf(text)
      return { content: isStreamed ? text : content, metadata: { ...first(false), ...fields } }
    },
  }
}

export interface ParsedAnswer {
  /** The content to render as markdown; empty if the answer is in the fields. */
  readonly content: string
  readonly fields: JsonObject
}

/** An answer as the protocol has it: title, content and sources if the text consists of them, otherwise markdown. */
export function answerOf(text: string): ParsedAnswer {
  const answer = readAnswer(text)
  if (answer === undefined) {
    const fields = { has_structured_data: false, answer_format: 'markdown' }
    return { content: withoutAnswerPrefix(text), fields }
  }
  const { title = 'Final answer', content, sources = [] } = answer
  return {
    content: '',
    fields: {
      has_structured_data: true,
      answer_title: title,
      answer_content: content,
      answer_sources: sources.map((source) => source.url ?? source.title ?? ''),
      answer_format: 'json',
    },
  }
}
