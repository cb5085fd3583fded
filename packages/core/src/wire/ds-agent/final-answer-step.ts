import { answerOf } from './final-answer.ts'
import { headOf, type Speech, type Step } from './message.ts'

/**
 * The answer. A structured one is told in fields and has no words of its own, unless the client has them by then: what
 * ends a stream is all of it.
 */
export function finalAnswer(step: Step): Speech {
  const head = headOf('final_answer', { kind: 'final-answer' }, { kind: 'final', number: step.number })
  const metadata = { ...head, agent_status: 'writing', is_final_answer: true }
  return {
    type: 'final_answer',
    metadata: { ...metadata, is_active: true },
    whole(text, isStreamed) {
      const { content, fields } = answerOf(text)
      return { content: isStreamed ? text : content, metadata: { ...metadata, is_active: false, ...fields } }
    },
  }
}
