import { isText } from '@millrace/core/json'
import type { Answered } from './endpoint.ts'

/** A person's answer as text, for services that are answered in words. */
export function answerWords(answer: Answered['answer']): string {
  if (answer.state === 'answered') return isText(answer.answer) ? answer.answer : JSON.stringify(answer.answer)
  return answer.message === undefined || answer.message === '' ? answer.state : `${answer.state}: ${answer.message}`
}
