import { present } from '../../data/present.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type Calls, mentions } from './calls.ts'
import { type LangMessage, readMessage } from './message.ts'
import { piecesOf } from './pieces.ts'
import type { Scope, Told } from './told.ts'

/** What takes the place of all messages before it. */
const ALL = '__remove_all__'

/** A tool's message is the output of its call. */
export function toolEvents(calls: Calls, scope: Scope, message: LangMessage): StreamEvent[] {
  const { toolCallId: id, name, content, artifact, isError } = message
  const events = calls.answer(scope, id, {
    status: isError ? 'error' : 'ok',
    output: content,
    name,
    artifact,
  })
  const output = events.find((event) => event.type === 'tool-output')
  if (output === undefined || typeof content === 'string') return events
  const files = piecesOf(message).flatMap((piece) => (piece.kind === 'file' ? [piece.file] : []))
  const place = { callId: output.callId, ...present({ agentId: scope.agentId }) }
  return [
    ...events,
    ...files.map((file, at) => ({
      type: 'file' as const,
      fileId: `${output.callId}:file-${at}`,
      ...file,
      ...place,
    })),
  ]
}

/** A message that was taken back. That all are is how a graph shortens its memory: what was said stays said. */
export function retractEvents(told: Told | undefined, { id }: LangMessage): StreamEvent[] {
  if (id === ALL) return [{ type: 'status', message: 'The conversation was shortened', level: 'info' }]
  if (told === undefined || told.scope.agentId !== undefined) return []
  return [{ type: 'message-retract', messageIds: [told.messageId] }]
}

/** What somebody said to an agent inside another. Its task is not said again. */
export function asideEvents(told: Told, { id, role, content }: LangMessage): StreamEvent[] {
  const { scope } = told
  told.isWhole = true
  if (content === scope.task || content === '' || scope.agentId === undefined) return []
  if (typeof content === 'string' && scope.call !== undefined && mentions(scope.call, content)) return []
  const name = `${role}-message`
  return [{ type: 'data', name, data: content, agentId: scope.agentId, ...present({ id }) }]
}

/** The message of a call inside a command that changes the state. */
export function toolMessageIn(output: Json, id: string | undefined): LangMessage | undefined {
  if (!isJsonObject(output)) return undefined
  const update = isJsonObject(output.update) ? output.update : output
  const messages = Array.isArray(update.messages) ? update.messages.map(readMessage) : []
  return messages.find((message) => message?.role === 'tool' && (id === undefined || message.toolCallId === id))
}
