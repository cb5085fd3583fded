import type { LoggedInput } from '../log.ts'

/** How inputs are stored: a row for those of one append, or several if they are many or large. */

const MOST_INPUTS = 500
const MOST_BYTES = 128 * 1024

/** The producer's records are bytes, `utf-16` only if UTF-8 cannot express them; events are JSON. */
const kinds = ['utf-8', 'utf-16', 'server', 'client'] as const
type Kind = (typeof kinds)[number]

type Head = readonly [kind: number, name: string | null, bytes: number]

export interface InputPage {
  readonly count: number
  readonly heads: string
  readonly bodies: Buffer
}

export interface InputColumns {
  readonly last_position: number
  readonly heads: string
  readonly bodies: Buffer
}

export function inputPagesOf(inputs: readonly LoggedInput[]): InputPage[] {
  const pages: InputPage[] = []
  let heads: Head[] = []
  let bodies: Buffer[] = []
  let bytes = 0
  const flush = () => {
    if (heads.length > 0)
      pages.push({ count: heads.length, heads: JSON.stringify(heads), bodies: Buffer.concat(bodies) })
    heads = []
    bodies = []
    bytes = 0
  }
  for (const input of inputs) {
    const [head, body] = encoded(input)
    if (heads.length >= MOST_INPUTS || bytes + body.length > MOST_BYTES) flush()
    heads.push(head)
    bodies.push(body)
    bytes += body.length
  }
  flush()
  return pages
}

export function inputsIn({ heads, bodies }: InputColumns): LoggedInput[] {
  let from = 0
  return (JSON.parse(heads) as Head[]).map(([kind, name, bytes]) => {
    const body = bodies.subarray(from, from + bytes)
    from += bytes
    return decoded(kinds[kind] as Kind, name, body)
  })
}

function encoded(input: LoggedInput): readonly [Head, Buffer] {
  if (input.by !== 'producer') {
    const body = Buffer.from(JSON.stringify(input.event))
    return [[kinds.indexOf(input.by), null, body.length], body]
  }
  const kind: Kind = input.text.isWellFormed() ? 'utf-8' : 'utf-16'
  const body = Buffer.from(input.text, kind === 'utf-8' ? 'utf8' : 'utf16le')
  return [[kinds.indexOf(kind), input.name ?? null, body.length], body]
}

function decoded(kind: Kind, name: string | null, body: Buffer): LoggedInput {
  if (kind === 'server' || kind === 'client') return { by: kind, event: JSON.parse(body.toString()) }
  const text = body.toString(kind === 'utf-8' ? 'utf8' : 'utf16le')
  return { by: 'producer', text, name: name ?? undefined }
}
