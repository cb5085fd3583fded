import type { RunError } from '../../event-fields.ts'
import { type Calls, createCalls } from './calls.ts'
import { createInterrupts, type Interrupts } from './interrupts.ts'
import { createMessageEmitter, type MessageEmitter } from './message-emitter.ts'
import { createNamespaces, type Namespaces } from './namespaces.ts'
import { createStates, type States } from './states.ts'
import { createTodos, type Todos } from './todos.ts'

/** The state of a run, shared by all stream modes. */
export interface Graph {
  readonly calls: Calls
  readonly emitter: MessageEmitter
  readonly namespaces: Namespaces
  readonly interrupts: Interrupts
  readonly states: States
  readonly todos: Todos
  /** How the run ended, as the stream reports it. */
  ending: 'none' | 'running' | 'completed' | 'failed' | 'interrupted'
}

export function createGraph(): Graph {
  const calls = createCalls()
  return {
    calls,
    emitter: createMessageEmitter(calls),
    namespaces: createNamespaces(calls),
    interrupts: createInterrupts(calls),
    states: createStates(),
    todos: createTodos(calls),
    ending: 'none',
  }
}

/** The error in the form of a server, a task or an exception. */
export function errorOf(value: unknown): RunError {
  if (typeof value === 'string' && value !== '') return { message: value }
  const { message, error, name, type } = (value ?? {}) as { readonly [field: string]: unknown }
  const text = (field: unknown) => (typeof field === 'string' && field !== '' ? field : undefined)
  const nested = typeof error === 'object' && error !== null ? errorOf(error) : undefined
  const errorMessage = text(message) ?? nested?.message ?? text(error) ?? 'The run failed'
  const kind = text(message) === undefined ? (text(name) ?? nested?.name) : (text(error) ?? text(name) ?? text(type))
  return kind === undefined || kind === errorMessage ? { message: errorMessage } : { message: errorMessage, name: kind }
}
