import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type Calls, mentions } from './calls.ts'
import { contentPartsOf } from './content-parts.ts'
import type { EmittedMessage, GraphScope } from './emitted-message.ts'
import { type LangMessage, readMessage } from './message.ts'

/** The id of a removal of all messages. */
const ALL = '__remove_all__'

/** A tool's message is the output of its call. */
export function toolEvents(calls: Calls, scope: GraphScope, message: LangMessage): StreamEvent[] {
  const { toolCallId: id, name, content, artifact, isError } = message
  const events = calls.answer(scope, id, {
    status: isError ? 'error' : 'ok',
    output: content,
    name,
    artifact,
  })
  const output = events.find((event) => event.type === 'tool-output')
  if (output === undefined || typeof content === 'string') return events
  const files = contentPartsOf(message).flatMap((part) => (part.kind === 'file' ? [part.file] : []))
  const eventScope = { callId: output.callId, ...present({ agentId: scope.agentId }) }
  return [
    ...events,
    ...files.map((file, at) => ({
      type: 'file' as const,
      fileId: `${output.callId}:file-${at}`,
      ...file,
      ...eventScope,
    })),
  ]
}

/** Retracts a removed message. Removing all messages only shortens the memory of a graph, so they stay. */
export function retractEvents(emitted: EmittedMessage | undefined, { id }: LangMessage): StreamEvent[] {
  if (id === ALL) return [{ type: 'status', message: 'The conversation was shortened', level: 'info' }]
  if (emitted === undefined || emitted.scope.agentId !== undefined) return []
  return [{ type: 'message-retract', messageIds: [emitted.messageId] }]
}

/** A message to a subagent. Its task is not emitted again. */
export function subagentInputEvents(emitted: EmittedMessage, { id, role, content }: LangMessage): StreamEvent[] {
  const { scope } = emitted
  emitted.isWhole = true
  if (content === scope.task || content === '' || scope.agentId === undefined) return []
  if (typeof content === 'string' && scope.call !== undefined && mentions(scope.call, content)) return []
  const name = `${role}-message`
  return [{ type: 'data', name, data: content, agentId: scope.agentId, ...present({ id }) }]
}

/** The tool message inside a command that updates the state. */
export function toolMessageIn(output: Json, id: string | undefined): LangMessage | undefined {
  if (!isJsonObject(output)) return undefined
  const update = isJsonObject(output.update) ? output.update : output
  const messages = Array.isArray(update.messages) ? update.messages.map(readMessage) : []
  return messages.find((message) => message?.role === 'tool' && (id === undefined || message.toolCallId === id))
}
