import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { MAIN } from '../langchain/emitted-message.ts'
import type { Graph } from '../langchain/graph.ts'
import { type LangMessage, readMessage, wordOf } from '../langchain/message.ts'
import { understood, unmapped } from '../parser.ts'
import type { Item } from './items.ts'

/**
 * Servers in front of a graph that forward chunks in their own envelope: `{thread_id, agent, id, role, content,
 * reasoning_content, tool_calls, tool_call_chunks, finish_reason}`, one event name per kind of chunk.
 */
export function relayEvents(graph: Graph, { mode, data }: Item): readonly StreamEvent[] {
  if (!isJsonObject(data)) return unmapped(data)
  if (mode === 'interrupt') return interruptEvents(graph, data)
  const message = messageOf(mode, data)
  if (message === undefined) return unmapped(data)
  const { thread_id, agent } = data
  const context = {
    scope: MAIN,
    opening: { node: wordOf(agent) },
    metadata: present({ thread_id, agent }) as JsonObject,
  }
  const { emitter } = graph
  if (message.role !== 'assistant') return understood(emitter.whole(message, context))
  const events = emitter.chunk(message, context)
  const messageState = emitter.find(MAIN, message.id)
  const isFinished = wordOf(data.finish_reason) !== undefined && messageState !== undefined
  return understood(isFinished ? [...events, ...emitter.end(messageState)] : events)
}

function messageOf(mode: string, data: JsonObject): LangMessage | undefined {
  const { reasoning_content, finish_reason, role, ...fields } = data
  const type = mode === 'tool_call_result' ? 'tool' : role === 'user' ? 'human' : 'AIMessageChunk'
  return readMessage({
    ...fields,
    type,
    additional_kwargs: present({ reasoning_content }),
    response_metadata: present({ finish_reason }),
  })
}

/** A question to the user, with the answers to choose from. */
function interruptEvents(graph: Graph, { id, content, options }: JsonObject): readonly StreamEvent[] {
  const value = present({ message: content, options }) as JsonObject
  return graph.interrupts.ask([present({ id, value }) as JsonObject], MAIN)
}
