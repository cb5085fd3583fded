import type { ChatEvent, ToolSegment } from '@millrace/core/fold'
import { isJsonObject, isText, type Json, type JsonObject } from '@millrace/core/json'
import type { Call } from '../outbound/send.ts'
import type { Answered, Conversation, Endpoint, HttpTurn, SentFile } from './endpoint.ts'
import { failureOf, fileNames, messageIdOf, messagesIn } from './history.ts'

/** An agent that speaks AG-UI: it gets the whole conversation with each request. */
export const agUi: Endpoint = {
  format: 'ag-ui',
  can: { clientTools: true, files: ['*/*'], recover: true, edit: true },
  canRejoin: false,
  open,
}

const CONTENT = /_(?:START|CONTENT|CHUNK|ARGS|RESULT)$/

function open({ request, spec, files }: HttpTurn): Conversation {
  const { runId, threadId, history, input, clientTools, attempt } = request
  const { state = {}, context = [], forwardedProps = {} } = input.client ?? {}
  const asked = input.text === '' && files.length === 0 ? [] : [questionOf(runId, input.text, files)]
  const earlier = [...messagesOf(history), ...asked]
  const sentIds = new Set<Json | undefined>()
  let requests = 0
  let hasContent = false

  function post(messages: readonly JsonObject[], resume?: readonly object[]): Call {
    // Each request is a run of its own for the service, also after a restart.
    const id = resume === undefined ? runId : `${runId}.${attempt}.${++requests}`
    hasContent = false
    for (const message of messages) sentIds.add(message.id)
    const common = { threadId, runId: id, protocolVersion: '1.0', state, messages, context, forwardedProps }
    const body = { ...common, tools: clientTools.map(toolOf), ...(resume !== undefined && { resume }) }
    return { method: 'POST', url: spec.target.url, body }
  }

  return {
    first: () => post(earlier),
    take({ value }) {
      if (!isJsonObject(value) || !isText(value.type)) return true
      hasContent ||= CONTENT.test(value.type)
      return hasContent || value.type !== 'MESSAGES_SNAPSHOT' || !isRepeated(value.messages)
    },
    resume: (answers, own) => post([...earlier, ...messagesOf(own.chatEvents, true)], answers.map(resumeOf)),
  }

  /** A snapshot of the messages that the service was just sent. */
  function isRepeated(messages: Json | undefined): boolean {
    return Array.isArray(messages) && messages.every((message) => isJsonObject(message) && sentIds.has(message.id))
  }
}

/** The protocol demands a schema for the input. */
const toolOf = ({
  name,
  description = '',
  parameters = { type: 'object' },
}: HttpTurn['request']['clientTools'][number]) => ({
  name,
  description,
  parameters,
})

function questionOf(runId: string, text: string, files: readonly SentFile[]): JsonObject {
  const id = `${runId}/input`
  if (files.length === 0) return { id, role: 'user', content: text }
  const parts = files.map(({ mediaType, base64, filename }): JsonObject => {
    const kind = /^(?:image|audio|video)(?=\/)/.exec(mediaType)?.[0] ?? 'document'
    const source = { type: 'data', value: base64, mimeType: mediaType }
    return { type: kind, source, ...(filename !== undefined && { metadata: { filename } }) }
  })
  return { id, role: 'user', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...parts] }
}

function resumeOf({ approvalId: interruptId, answer }: Answered): object {
  if (answer.state === 'answered') return { interruptId, status: 'resolved', payload: answer.answer }
  const { state, message } = answer
  const edited = answer.state === 'approved' && answer.input !== undefined ? { editedArgs: answer.input } : {}
  const payload = {
    approved: state === 'approved',
    ...edited,
    ...(message !== undefined && { message, reason: message }),
  }
  return { interruptId, status: 'resolved', payload }
}

/** Messages in the shape of the protocol. With `isOwn` they are of the run that continues: its open calls have no result yet. */
function messagesOf(chatEvents: readonly ChatEvent[], isOwn = false): readonly JsonObject[] {
  const messages = messagesIn(chatEvents)
  return messages.flatMap((chatEvent): readonly JsonObject[] => {
    if (chatEvent.role === 'user')
      return isOwn ? [] : [{ id: `${chatEvent.runId}/input`, role: 'user', content: contentOf(chatEvent) }]
    return assistantMessages(chatEvent)
  })
}

function contentOf({ segments }: ChatEvent): string {
  const texts = segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : []))
  return [...texts, ...fileNames(segments)].join('\n\n')
}

/** Text that follows a result is a message of its own. */
function assistantMessages(chatEvent: ChatEvent): readonly JsonObject[] {
  const id = messageIdOf(chatEvent)
  const out: JsonObject[] = []
  let text = ''
  let calls: ToolSegment[] = []

  function flush(): void {
    if (text === '' && calls.length === 0) return
    const toolCalls = calls.map(callOf)
    const first = out.every(({ role }) => role !== 'assistant')
    out.push({
      id: first ? id : `${id}-${out.length}`,
      role: 'assistant',
      ...(text !== '' && { content: text }),
      ...(toolCalls.length > 0 && { toolCalls }),
    })
    out.push(...calls.flatMap(resultOf))
    text = ''
    calls = []
  }

  for (const segment of chatEvent.segments) {
    if (segment.type === 'text') {
      if (calls.length > 0) flush()
      text += segment.text
    } else if (segment.type === 'tool') calls.push(segment)
  }
  flush()
  return out
}

const callOf = ({ callId, name, input }: ToolSegment): JsonObject => ({
  id: callId,
  type: 'function',
  function: { name, arguments: JSON.stringify(input ?? {}) },
})

function resultOf(call: ToolSegment): readonly JsonObject[] {
  const error = failureOf(call)
  if (call.output === undefined && error === undefined) return []
  const { output = error ?? '' } = call
  const content = isText(output) ? output : JSON.stringify(output)
  return [
    {
      id: `${call.callId}-result`,
      role: 'tool',
      toolCallId: call.callId,
      content,
      ...(error !== undefined && { error }),
    },
  ]
}
