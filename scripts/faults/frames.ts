import { createHash } from 'node:crypto'

/** One message of a wire, as it stood there. The end of a wire may have no cursor. */
export interface Frame {
  readonly id: string | undefined
  readonly data: string
}

/** Whole server-sent events from bytes in any split. What is not whole is never given. Written anew, to judge by. */
export function createFrames(): (bytes: Uint8Array) => readonly Frame[] {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  return (bytes) => {
    const blocks = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap(frameOf)
  }
}

function frameOf(block: string): readonly Frame[] {
  let id: string | undefined
  let data: string | undefined
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4)
    else if (line.startsWith('data: ')) data = line.slice(6)
  }
  return data === undefined ? [] : [{ id, data }]
}

/** A WebSocket's message: the chunk's own text is cut out, so that both transports can be compared to the letter. */
export function frameOfMessage(text: string): Frame {
  const { id } = JSON.parse(text) as { readonly id: string }
  const head = `{"id":${JSON.stringify(id)},"chunk":`
  if (!text.startsWith(head)) throw new Error(`No frame: ${text.slice(0, 80)}`)
  return { id, data: text.slice(head.length, -1) }
}

/** Where two lists of frames part; nothing where they are the same. */
export function difference(seen: readonly Frame[], wanted: readonly Frame[]): string | undefined {
  const length = Math.max(seen.length, wanted.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [seen[index], wanted[index]]
    if (one?.id === other?.id && one?.data === other?.data) continue
    return `frame ${index} of ${seen.length} is ${shown(one)}, not ${shown(other)} (of ${wanted.length})`
  }
  return undefined
}

const shown = (frame: Frame | undefined) =>
  frame === undefined ? 'missing' : `${frame.id ?? 'without id'} ${frame.data.slice(0, 60)}`

/** A frame of which only a print is kept: many viewers of a large run would not fit otherwise. */
export const printOf = ({ id, data }: Frame): Frame => ({
  id,
  data: createHash('sha256').update(data).digest('base64'),
})
