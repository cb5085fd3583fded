import { type ClientOutput, fileUrl } from '@millrace/core/api'
import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { z } from 'zod'
import type { ApprovalAnswer } from '../../run/agent.ts'
import type { FilePart } from '../chat/chat-request.ts'
import { clientContext } from '../client-context.ts'
import { idShape } from '../shapes.ts'

const messageShape = z.looseObject({
  id: z.string().min(1).max(200).optional().catch(undefined),
  role: z.string(),
  content: z.unknown().optional(),
})

const resumeShape = z.object({
  interruptId: z.string().max(1_000),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.json().optional(),
})

/** What AG-UI's clients post. */
export const runShape = z.object({
  threadId: idShape,
  runId: idShape,
  messages: z.array(messageShape).default([]),
  resume: z.array(resumeShape).max(1_000).default([]),
  tools: z.unknown().optional(),
  context: z.unknown().optional(),
  state: z.unknown().optional(),
  forwardedProps: z.unknown().optional(),
  protocolVersion: z.unknown().optional(),
})

export type RunRequest = z.output<typeof runShape>
export type Resume = RunRequest['resume'][number]

const textShape = z.object({ type: z.literal('text'), text: z.string() })
const mediaShape = z.object({
  type: z.enum(['image', 'audio', 'video', 'document']),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('data'), value: z.string(), mimeType: z.string().max(200) }),
    z.object({ type: z.literal('url'), value: z.string(), mimeType: z.string().max(200).optional() }),
  ]),
  metadata: z
    .object({ filename: z.string().max(500).optional() })
    .optional()
    .catch(undefined),
})

/** Clients before 1.0 send files like this. An `id` is that of an uploaded file. */
const binaryShape = z.object({
  type: z.literal('binary'),
  mimeType: z.string().max(200),
  id: z.string().max(1_000).optional(),
  data: z.string().optional(),
  url: z.string().optional(),
  filename: z.string().max(500).optional(),
})

type Message = RunRequest['messages'][number]

/** The user's last message. Undefined if the last message is not the user's. */
export function questionIn({ messages }: RunRequest): Message | undefined {
  const last = messages.at(-1)
  return last?.role === 'user' ? last : undefined
}

/** The content of a message: its texts as one, and its files. */
export function contentOf({ content }: Message): { readonly text: string; readonly files: readonly FilePart[] } {
  if (typeof content === 'string') return { text: content, files: [] }
  const parts = Array.isArray(content) ? content : []
  return {
    text: parts.flatMap((part) => textShape.safeParse(part).data?.text ?? []).join('\n'),
    files: parts.flatMap((part) => [
      ...fileOf(mediaShape.safeParse(part).data),
      ...binaryOf(binaryShape.safeParse(part).data),
    ]),
  }
}

/** The client's own id of a message. */
export const clientIdOf = ({ id }: Message): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= 1_000 ? id : undefined

/** What the client sent beside its last message. */
export function clientIn({ messages, tools, context, state, forwardedProps }: RunRequest): JsonObject | undefined {
  const instructions = messages.filter(({ role }) => role === 'system' || role === 'developer')
  const system = instructions.map((message) => contentOf(message).text).join('\n\n')
  return clientContext({ tools, context, state, forwardedProps, system })
}

function binaryOf(part: z.output<typeof binaryShape> | undefined): readonly FilePart[] {
  if (part === undefined) return []
  const { mimeType: mediaType, id, data, filename } = part
  const uploaded = id === undefined ? undefined : fileUrl(id)
  const address = data === undefined ? (part.url ?? uploaded) : `data:${mediaType};base64,${data}`
  return address === undefined ? [] : [{ type: 'file', mediaType, url: address, ...(filename && { filename }) }]
}

function fileOf(part: z.output<typeof mediaShape> | undefined): FilePart[] {
  if (part === undefined) return []
  const { source, metadata } = part
  const mediaType = source.mimeType ?? 'application/octet-stream'
  const url = source.type === 'data' ? `data:${mediaType};base64,${source.value}` : source.value
  const filename = metadata?.filename
  return [{ type: 'file', mediaType, url, ...(filename !== undefined && { filename }) }]
}

const resultShape = z.object({
  id: z.string().min(1).max(200).optional().catch(undefined),
  role: z.literal('tool'),
  toolCallId: z.string().max(1_000),
  content: z.json().optional(),
  error: z.string().optional(),
})

/** Outputs of tools that the client has run since the last response, by the client's ids of the calls. */
export function outputsIn({ messages }: RunRequest): readonly ClientOutput[] {
  const before = messages.at(-1)?.role === 'user' ? messages.slice(0, -1) : messages
  const last = before.findLastIndex(({ role }) => role !== 'tool')
  return before.slice(last + 1).flatMap((message) => {
    const { data } = resultShape.safeParse(message)
    if (data === undefined) return []
    const { id, toolCallId: callId, content: output = null, error } = data
    return [{ callId, output, ...(error !== undefined && { error }), ...(id !== undefined && { clientId: id }) }]
  })
}

/** The profile of a client: those before version 1.0 name no version, and refuse what came with it. */
export function profileIn({ protocolVersion }: RunRequest): string | undefined {
  return protocolVersion === undefined ? '0' : undefined
}

/** The answer in an entry of `resume`: approved or denied if the payload says so, else the payload itself. */
export function answerOf({ status, payload }: Resume): ApprovalAnswer {
  if (status === 'cancelled') return { state: 'denied' }
  const verdict = isJsonObject(payload) ? payload.approved : payload
  if (typeof verdict === 'boolean' || payload === undefined) return verdictOf(verdict !== false, payload)
  return { state: 'answered', answer: payload }
}

function verdictOf(isApproved: boolean, payload: unknown): ApprovalAnswer {
  const { reason, message = reason } = isJsonObject(payload) ? payload : {}
  const state = isApproved ? 'approved' : 'denied'
  return typeof message === 'string' ? { state, message } : { state }
}
