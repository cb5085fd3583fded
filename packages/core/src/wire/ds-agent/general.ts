import type { Role } from '../../event-fields.ts'
import { defined, type Fields } from '../chunk-fields.ts'
import { errorTypeIn } from './error-type.ts'
import { type Draft, draftOf, headOf, ownOf, type Speech, type Step } from './message.ts'

/** Words in the chat that are neither a plan nor a thought nor an answer: a person's, or ours. */
export function general(step: Step | undefined, words: string, fields: Fields = {}): Draft {
  return draftOf(headOf('message', { kind: 'message' }, step), words, fields)
}

/** The same, piece by piece. */
export function generalSpeech(): Speech {
  const metadata = headOf('message', { kind: 'message' }, undefined)
  return { type: 'message', metadata, whole: (text) => ({ content: text, metadata }) }
}

/** The protocol knows people and agents. */
export function speakerOf(role: Role): 'user' | 'assistant' {
  return role === 'user' ? 'user' : 'assistant'
}

export interface Failure {
  readonly message: string
  readonly name?: string
  readonly code?: string
}

/** An error that is no tool's. What was thrown has a name; where nobody passed it on, the sentence may have it. */
export function errorMessage(step: Step | undefined, { message, name, code }: Failure, own: Fields): Draft {
  const head = headOf('error', { kind: 'run-error' }, step)
  const type = name || code || errorTypeIn(message)
  return draftOf(head, message, {
    error: true,
    error_type: type,
    error_message: message,
    agent_status: 'error',
    is_active: false,
    ...ownOf({ ...own, ...defined({ name, code }) }),
  })
}
