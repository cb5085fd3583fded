import type { ClientOutput } from '@millrace/core/api'
import type { JsonObject } from '@millrace/core/json'
import { z } from 'zod'

import { clientContext } from '../client-context.ts'
import { idShape } from '../shapes.ts'

const partShape = z.looseObject({ type: z.string() })
const messageShape = z.object({
  id: z.string().max(200).optional(),
  role: z.enum(['user', 'assistant', 'system']),
  parts: z.array(partShape).max(10_000),
  metadata: z.looseObject({ outcome: z.unknown().optional() }).optional().catch(undefined),
})

/** What the AI SDK's default transport posts. Further fields are the application's own. */
export const chatShape = z.looseObject({
  id: idShape,
  messages: z.array(messageShape).min(1),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  messageId: z.string().max(200).nullish(),
  agent: z.string().max(200).optional(),
})

export type ChatRequest = z.output<typeof chatShape>
type Message = ChatRequest['messages'][number]

const textShape = z.object({ type: z.literal('text'), text: z.string() })
export const fileShape = z.object({
  type: z.literal('file'),
  mediaType: z.string().max(200),
  filename: z.string().max(500).optional(),
  url: z.string(),
})
const answeredShape = z.object({
  state: z.literal('approval-responded'),
  approval: z.object({ id: z.string(), approved: z.boolean(), reason: z.string().optional() }),
})

const shownShape = z.object({ approval: z.object({ id: z.string() }) })

const outputShape = z.union([
  z.object({ state: z.literal('output-available'), toolCallId: z.string(), output: z.json().optional() }),
  z.object({ state: z.literal('output-error'), toolCallId: z.string(), errorText: z.string() }),
])

export type FilePart = z.output<typeof fileShape>
export type ApprovalPart = z.output<typeof answeredShape>['approval']

/** The user's input: the texts as one, and the files. */
export function userInputIn({ parts }: Message): { readonly text: string; readonly files: readonly FilePart[] } {
  return {
    text: ofShape(parts, textShape)
      .map(({ text }) => text)
      .join('\n'),
    files: ofShape(parts, fileShape),
  }
}

/** Whether the client has read the end of a run that waits for input. */
export const hasReadEnd = ({ metadata }: Message): boolean => metadata?.outcome === 'awaiting-input'

/** The approvals that the message answers. */
export function answeredIn({ parts }: Message): readonly ApprovalPart[] {
  return ofShape(parts, answeredShape).map(({ approval }) => approval)
}

/** The approvals that the message shows, answered or not. */
export function shownIn({ parts }: Message): readonly string[] {
  return ofShape(parts, shownShape).map(({ approval }) => approval.id)
}

/** How many texts and calls the message has. */
export function partsIn({ parts }: Message): number {
  return parts.filter(({ type, toolCallId }) => type === 'text' || toolCallId !== undefined).length
}

/** Outputs of tools that the client has run. Other outputs in the message are the server's own. */
export function outputsIn({ parts }: Message): readonly ClientOutput[] {
  const own = parts.filter(({ providerExecuted, preliminary }) => providerExecuted !== true && preliminary !== true)
  return ofShape(own, outputShape).map((part) => {
    const { toolCallId: callId } = part
    if (part.state === 'output-error') return { callId, error: part.errorText }
    return { callId, output: part.output ?? null }
  })
}

function ofShape<Schema extends z.ZodType>(parts: readonly unknown[], schema: Schema): readonly z.output<Schema>[] {
  return parts.flatMap((part) => {
    const { success, data } = schema.safeParse(part)
    return success ? [data] : []
  })
}

/**
 * A message that is sent again because its response was lost starts no second run. A message that was edited or is to be
 * regenerated is another question under the same id, and has no key.
 */
export function idempotencyKeyOf({ trigger, messageId }: ChatRequest, message: Message): string | undefined {
  const isNew = trigger === 'submit-message' && (messageId === undefined || messageId === null)
  return isNew && message.id !== undefined && message.id !== '' ? `chat:${message.id}` : undefined
}

/** What the client sent beside its last message: the further fields of the body, the instructions, the message's metadata. */
export function clientIn(request: ChatRequest): JsonObject | undefined {
  const { id: _id, messages, trigger: _trigger, messageId: _messageId, agent: _agent, ...body } = request
  const system = messages.filter(({ role }) => role === 'system').map((message) => userInputIn(message).text)
  const last = messages.at(-1)
  const metadata = last?.role === 'user' ? last.metadata : undefined
  return clientContext({ body: clientContext(body), system: system.join('\n\n'), metadata })
}
