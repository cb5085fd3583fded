import { ApiError } from '@millrace/core/api'
import { isJsonObject, isText } from '@millrace/core/json'
import { z } from 'zod'
import { refusalOf } from '../errors.ts'
import { checked } from '../request.ts'

/** The largest frame that is parsed, in bytes. */
const FRAME_LIMIT = 1024 * 1024

/** Larger frames close the connection before they are read. */
export const MOST_BYTES = 4 * FRAME_LIMIT

/** How many messages of the history are sent: at most, and by default. */
export const historyLimit = z.coerce.number().int().min(1).max(10_000).default(100)

/** What a client may send. `approve` and `stop` are ours: the protocol has neither. */
const shapes = {
  query: z.object({ query: z.string().refine((query) => query.trim() !== '', 'there is nothing in it') }),
  ping: z.object({}),
  get_messages: z.object({ limit: historyLimit }),
  get_state: z.object({}),
  approve: z.object({
    approval_id: z.string().max(1_000),
    approved: z.boolean(),
    message: z.string().max(100_000).optional(),
  }),
  stop: z.object({}),
} as const

type Type = keyof typeof shapes

type FrameOf<Each extends Type> = z.output<(typeof shapes)[Each]>

/** What is done with each frame. */
export type Handlers = { readonly [Each in Type]: (frame: FrameOf<Each>) => Promise<void> | undefined }

/** Reads a frame and does what it requests. Rejects with an error for its sender. */
export async function handle(handlers: Handlers, frame: Buffer, isBinary: boolean): Promise<void> {
  if (frame.byteLength > FRAME_LIMIT) throw bad('too-large', `A message may have ${FRAME_LIMIT} bytes at most.`)
  const value = isBinary ? undefined : parsed(frame.toString('utf8'))
  if (!isJsonObject(value)) throw bad('bad-json', 'A message is an object in JSON, as text.')
  const { type } = value
  if (!isType(type)) throw bad('unknown-type', `Unknown message type: ${isText(type) ? type.slice(0, 100) : 'no text'}`)
  // Each handler takes the shape of the same name.
  const act = handlers[type] as (frame: unknown) => Promise<void> | undefined
  await act(checked(value, shapes[type]))
}

const isType = (type: unknown): type is Type => typeof type === 'string' && Object.hasOwn(shapes, type)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const bad = (code: string, sentence: string) => new ApiError(400, code, sentence)

/** The frame for a thrown value. */
export function errorFrame(error: unknown) {
  const { code, message } = refusalOf(error).body.error
  return { type: 'error', message, error_code: code } as const
}
