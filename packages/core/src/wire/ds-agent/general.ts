import type { Role } from '../../event-fields.ts'
import { defined, type Fields, underMillrace } from '../chunk-fields.ts'
import { type Draft, draftOf, headOf, type MessageTemplate, type Step } from './message.ts'

/** A message in the chat that is neither a plan nor a thought nor an answer: of a user, or of this wire. */
export function generalMessage(step: Step | undefined, text: string, fields: Fields = {}): Draft {
  return draftOf(headOf('message', { kind: 'message' }, step), text, fields)
}

/** The same as a stream. */
export function generalTemplate(): MessageTemplate {
  const metadata = () => headOf('message', { kind: 'message' }, undefined)
  return { type: 'message', metadata, whole: (text) => ({ content: text, metadata: metadata() }) }
}

/** The protocol has two roles: people and agents. */
export function chatRoleOf(role: Role): 'user' | 'assistant' {
  return role === 'user' ? 'user' : 'assistant'
}

export interface Failure {
  readonly message: string
  readonly name?: string
  readonly code?: string
}

/** An error that is not a tool's. Without a name or code, its type is the exception that its message names. */
export function errorMessage(step: Step | undefined, { message, name, code }: Failure, extra: Fields): Draft {
  const head = headOf('error', { kind: 'run-error' }, step)
  const type = name || code || errorTypeIn(message)
  return draftOf(head, message, {
    error: true,
    error_type: type,
    error_message: message,
    agent_status: 'error',
    is_active: false,
    ...underMillrace({ ...extra, ...defined({ name, code }) }),
  })
}

/** The name of an exception as most languages write it. */
const EXCEPTION = /\b[A-Z]\w*(?:Error|Exception)\b/

/** The exception that a sentence names; `Error` if it names none, because every error of the protocol has a type. */
export function errorTypeIn(sentence: string): string {
  return EXCEPTION.exec(sentence)?.[0] ?? 'Error'
}
