import type { ClientOutput } from '@millrace/core/api'
import { isJsonObject } from '@millrace/core/json'
import { z } from 'zod'
import type { ApprovalAnswer } from '../../run/agent.ts'
import type { FilePart } from '../chat/chat-request.ts'
import { idShape } from '../shapes.ts'

const messageShape = z.looseObject({ role: z.string(), content: z.unknown().optional() })

const resumeShape = z.object({
  interruptId: z.string().max(1_000),
  status: z.enum(['resolved', 'cancelled']),
  payload: z.json().optional(),
})

/** What AG-UI's clients post. The server has the thread, so only the last message can be new. */
export const runShape = z.object({
  threadId: idShape,
  runId: idShape,
  messages: z.array(messageShape).default([]),
  resume: z.array(resumeShape).max(1_000).default([]),
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

/** The user's last message: its texts as one, and its files. Undefined if the last message is not the user's. */
export function questionIn({
  messages,
}: RunRequest): { readonly text: string; readonly files: FilePart[] } | undefined {
  const last = messages.at(-1)
  if (last?.role !== 'user') return undefined
  if (typeof last.content === 'string') return { text: last.content, files: [] }
  const parts = Array.isArray(last.content) ? last.content : []
  return {
    text: parts.flatMap((part) => textShape.safeParse(part).data?.text ?? []).join('\n'),
    files: parts.flatMap((part) => fileOf(mediaShape.safeParse(part).data)),
  }
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
  role: z.literal('tool'),
  toolCallId: z.string().max(1_000),
  content: z.json().optional(),
  error: z.string().optional(),
})

/** Outputs of tools that the client has run since the last response, by the client's ids of the calls. */
export function outputsIn({ messages }: RunRequest): readonly ClientOutput[] {
  const last = messages.findLastIndex(({ role }) => role !== 'tool')
  return messages.slice(last + 1).flatMap((message) => {
    const { data } = resultShape.safeParse(message)
    if (data === undefined) return []
    const { toolCallId: callId, content: output = null, error } = data
    return [error === undefined ? { callId, output } : { callId, output, error }]
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
