import { z } from 'zod'
import { parsedJson } from '../request.ts'
import { chatShape } from './chat-request.ts'

/** What the AI SDK's WebSocket transport sends. Its headers are ignored: access was checked before the handshake. */
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

/** A frame of the client. Throws if it is not valid. */
export function chatFrame(text: string): ChatFrame {
  return parsedJson(text, frameShape)
}

const namedShape = z.looseObject({ requestId: z.string().max(200) })

/** The request id in a frame that is not valid otherwise. */
export function requestIdIn(text: string): string | undefined {
  try {
    return parsedJson(text, namedShape).requestId
  } catch {
    return undefined
  }
}
