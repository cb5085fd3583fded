import type { RunError } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { numberIn, objectIn, textIn } from '../kit/fields.ts'
import type { Out } from '../kit/voice.ts'
import { createCalls } from './calls.ts'
import { createContent } from './content.ts'
import { createInterrupts } from './interrupts.ts'
import { createMessageEmitter, type MessageOrigin } from './message-emitter.ts'
import { createNamespaces } from './namespaces.ts'
import { createStates } from './states.ts'

/** The state of a run, shared by all stream modes. */
export type Graph = ReturnType<typeof createGraph>

export function createGraph() {
  const calls = createCalls()
  const content = createContent(calls)
  return {
    calls,
    content,
    emitter: createMessageEmitter(content),
    namespaces: createNamespaces(calls),
    interrupts: createInterrupts(calls),
    states: createStates(calls),
    isBegun: false,
    /** How the run ended, as the stream reports it. */
    ending: 'none' as 'none' | 'running' | 'completed' | 'failed' | 'interrupted',
  }
}

/** The events of a record, with the answers to questions and the ends of agents that they imply. */
export function withImplied({ namespaces, interrupts }: Graph, events: Out): Out {
  if (!events.some(({ type }) => type === 'tool-output' || type === 'step-start')) return events
  return events.flatMap((event) => {
    const end = event.type === 'tool-output' ? namespaces.endOf(event) : undefined
    return [...interrupts.answersBefore(event), event, ...(end === undefined ? [] : [end])]
  })
}

/** The end that a clean end of the stream implies. */
export function endEvents({ isBegun, ending, interrupts, emitter }: Graph): StreamEvent[] {
  if (!isBegun || ending === 'failed') return []
  if (interrupts.isWaiting() || ending === 'interrupted')
    return [{ type: 'run-end', outcome: 'awaiting-input', reason: 'interrupt' }]
  if (ending === 'completed') return [{ type: 'run-end', outcome: 'success' }]
  if (ending === 'running' || emitter.isInTheMiddle()) return []
  const out: Out = []
  emitter.endFinished(out)
  // The calls of a graph are run by the agent, so only the parser can tell that their outputs are awaited.
  out.push({ type: 'run-end', outcome: emitter.isWaitingForTools() ? 'awaiting-input' : 'success' })
  return out
}

/** The task that the metadata of a message names. */
export function taskOf({ langgraph_checkpoint_ns, checkpoint_ns }: JsonObject): string | undefined {
  return textIn(langgraph_checkpoint_ns) ?? textIn(checkpoint_ns)
}

/** The namespace of the graph of a task. A model inside a task of tools belongs to an inner graph. */
export function graphOf(task: string, isModel: boolean): readonly string[] {
  const parts = task.split('|')
  return isModel && parts.at(-1)?.startsWith('tools:') ? parts : parts.slice(0, -1)
}

/** What the metadata of a message tells of its origin. */
export function originIn(metadata: JsonObject): Omit<MessageOrigin, 'scope'> {
  const { ls_model_name, langgraph_node, langgraph_step } = metadata
  const opening = { model: textIn(ls_model_name), node: textIn(langgraph_node), step: numberIn(langgraph_step) }
  return { metadata, opening }
}

/** The error in the form of a server, a task or an exception. */
export function errorOf(value: unknown): RunError {
  if (typeof value === 'string' && value !== '') return { message: value }
  const { message, error, name, type } = objectIn(value)
  const nested = typeof error === 'object' && error !== null ? errorOf(error) : undefined
  const errorMessage = textIn(message) ?? nested?.message ?? textIn(error) ?? 'The run failed'
  const kind =
    textIn(message) === undefined ? (textIn(name) ?? nested?.name) : (textIn(error) ?? textIn(name) ?? textIn(type))
  return kind === undefined || kind === errorMessage ? { message: errorMessage } : { message: errorMessage, name: kind }
}
