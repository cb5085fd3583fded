import { createHash } from 'node:crypto'

/** One message of a wire, as received. The terminator of a wire has no cursor. */
export interface Frame {
  readonly id: string | undefined
  readonly data: string
}

/** Whole server-sent events from bytes in any split, never an unfinished one. Independent of our own reader. */
export function createFrames(): (bytes: Uint8Array) => readonly Frame[] {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let unfinished = ''
  return (bytes) => {
    const blocks = `${unfinished}${decoder.decode(bytes, { stream: true })}`.split('\n\n')
    unfinished = blocks.pop() ?? ''
    return blocks.flatMap(frameOf)
  }
}

/** A run's status is not a message of the wire: it may come at any time and is not replayed. */
function frameOf(block: string): readonly Frame[] {
  if (block.startsWith('event: run-state\n')) return []
  let id: string | undefined
  let data: string | undefined
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4)
    else if (line.startsWith('data: ')) data = line.slice(6)
  }
  return data === undefined ? [] : [{ id, data }]
}

interface Message {
  readonly id?: string
  readonly chunk?: unknown
  readonly metadata?: { readonly cursor?: string }
}

/** A WebSocket's message: the chunk's own text is cut out, so that both transports can be compared byte by byte. */
export function frameOfMessage(text: string): Frame | undefined {
  const message = JSON.parse(text) as Message
  if ('state' in message) return undefined
  if (!('chunk' in message)) return frameOfOwn(message)
  const head = `{"id":${JSON.stringify(message.id)},"chunk":`
  if (!text.startsWith(head)) throw new Error(`No frame: ${text.slice(0, 80)}`)
  return { id: message.id, data: text.slice(head.length, -1) }
}

/** A message of a protocol that has its own form on a WebSocket: the cursor is in its metadata. */
function frameOfOwn(message: Message): Frame {
  const { cursor, ...metadata } = message.metadata ?? {}
  if (cursor === undefined) throw new Error(`No cursor: ${JSON.stringify(message).slice(0, 80)}`)
  return { id: cursor, data: JSON.stringify({ ...message, metadata }) }
}

/** The frames that a WebSocket carries: it closes the connection instead of sending a terminator. */
export const onSocket = (frames: readonly Frame[]): readonly Frame[] => frames.filter(({ id }) => id !== undefined)

/** The first difference between two lists of frames; undefined if they are the same. */
export function difference(seen: readonly Frame[], expected: readonly Frame[]): string | undefined {
  const length = Math.max(seen.length, expected.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [seen[index], expected[index]]
    if (one?.id === other?.id && one?.data === other?.data) continue
    return `frame ${index} of ${seen.length} is ${shown(one)}, not ${shown(other)} (of ${expected.length})`
  }
  return undefined
}

const shown = (frame: Frame | undefined) =>
  frame === undefined ? 'missing' : `${frame.id ?? 'without id'} ${frame.data.slice(0, 60)}`

/** A frame of which only a hash is kept: otherwise many viewers of a large run would not fit into memory. */
export const printOf = ({ id, data }: Frame): Frame => ({
  id,
  data: createHash('sha256').update(data).digest('base64'),
})
