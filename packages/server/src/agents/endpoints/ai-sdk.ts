import type { ChatEvent, ToolSegment } from '@millrace/core/fold'
import { isJsonObject, type JsonObject } from '@millrace/core/json'
import type { Answered, Conversation, Endpoint, HttpTurn, SentFile } from './endpoint.ts'
import { failureOf, fileNames, messageIdOf, messagesIn } from './history.ts'

/** A route that serves `useChat` of the AI SDK: it gets the whole conversation with each request. */
export const aiSdk: Endpoint = {
  format: 'ai-sdk',
  can: { clientTools: true, files: ['*/*'], recover: true },
  canRejoin: false,
  open,
}

function open({ request, spec, files }: HttpTurn): Conversation {
  const { runId, threadId: id, history, input } = request
  const { body, tools } = input.client ?? {}
  const asked = input.text === '' && files.length === 0 ? [] : [questionOf(runId, input.text, files)]
  const earlier = [...messagesOf(history, []), ...asked]
  const more = { ...(isJsonObject(body) && body), ...(tools !== undefined && { tools }) }

  const post = (messages: readonly JsonObject[]) => ({
    method: 'POST' as const,
    url: spec.target.url,
    body: { ...more, id, messages, trigger: 'submit-message' },
  })
  return {
    first: () => post(earlier),
    take: () => true,
    resume: (answers, { chatEvents }) => post([...earlier, ...messagesOf(chatEvents, answers, true)]),
  }
}

function questionOf(runId: string, text: string, files: readonly SentFile[]): JsonObject {
  const parts = files.map(({ mediaType, base64, filename }): JsonObject => {
    const url = `data:${mediaType};base64,${base64}`
    return { type: 'file', mediaType, url, ...(filename !== undefined && { filename }) }
  })
  return { id: `${runId}/input`, role: 'user', parts: [...(text === '' ? [] : [{ type: 'text', text }]), ...parts] }
}

/** Messages in the shape of the SDK. With `isOwn` they are of the run that continues. */
function messagesOf(
  chatEvents: readonly ChatEvent[],
  answers: readonly Answered[],
  isOwn = false,
): readonly JsonObject[] {
  return messagesIn(chatEvents).flatMap((chatEvent): readonly JsonObject[] => {
    const { role, segments, runId } = chatEvent
    if (role === 'user' && isOwn) return []
    const parts = segments.flatMap((segment): readonly JsonObject[] => {
      if (segment.type === 'text') return [{ type: 'text', text: segment.text, state: 'done' }]
      return segment.type === 'tool' ? [callPart(segment, answers)] : []
    })
    const named = fileNames(segments).map((text) => ({ type: 'text', text }))
    const id = role === 'user' ? `${runId}/input` : messageIdOf(chatEvent)
    return parts.length + named.length === 0 ? [] : [{ id, role, parts: [...parts, ...named] }]
  })
}

function callPart(call: ToolSegment, answers: readonly Answered[]): JsonObject {
  const { callId: toolCallId, name, input = {}, runBy, approval } = call
  const provider = runBy === 'provider' ? { providerExecuted: true } : {}
  const part = { type: `tool-${name}`, toolCallId, input, ...provider }
  const answered = answers.find((each) => each.callId === toolCallId)
  if (answered !== undefined) return { ...part, state: 'approval-responded', approval: approvalOf(answered) }
  const errorText = failureOf(call)
  if (call.state === 'denied' && approval !== undefined) {
    const { approvalId: id, message: reason } = approval
    return {
      ...part,
      state: 'output-denied',
      approval: { id, approved: false, ...(reason !== undefined && { reason }) },
    }
  }
  if (errorText !== undefined) return { ...part, state: 'output-error', errorText }
  if (call.output === undefined) return { ...part, state: 'input-available' }
  return { ...part, state: 'output-available', output: call.output }
}

function approvalOf({ approvalId: id, answer }: Answered): JsonObject {
  const reason = answer.state === 'answered' ? undefined : answer.message
  return { id, approved: answer.state === 'approved', ...(reason !== undefined && { reason }) }
}
