import { z } from 'zod'
import { parsedJson } from '../body.ts'
import { chatShape } from './chat-request.ts'

/** What the AI SDK's WebSocket transport sends. Its headers are for hosts: who is connected has shown the token. */
const frameShape = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('send'),
    requestId: z.string().max(200),
    body: z.looseObject({}).default({}),
    ...chatShape.omit({ agent: true }).shape,
  }),
  z.object({ type: z.literal('resume'), requestId: z.string().max(200), id: z.string().max(200) }),
  z.object({ type: z.literal('abort'), requestId: z.string().max(200) }),
])

export type ChatFrame = z.output<typeof frameShape>

/** A frame of the client. Throws where it is none. */
export function chatFrame(text: string): ChatFrame {
  return parsedJson(text, frameShape)
}

const namedShape = z.looseObject({ requestId: z.string().max(200) })

/** The request that a frame belongs to which cannot be read otherwise. */
export function requestIdIn(text: string): string | undefined {
  try {
    return parsedJson(text, namedShape).requestId
  } catch {
    return undefined
  }
}
