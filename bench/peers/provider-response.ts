import { fixturesOf } from '@millrace/testkit/repository/fixtures'

/** A provider's answer as it goes over the wire, and what its records hold. */
export interface ProviderResponse {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly payloads: readonly string[]
}

/** About as many characters as a response has. */
const SIZE = 1_000_000

interface Payload {
  readonly type: string
  readonly index?: number
  readonly content_block?: { readonly id?: string }
}

/** A record of a later turn: no index and no id of a call occurs twice in a response. */
function inTurn({ index, content_block: block, ...record }: Payload, turn: number, blocks: number): Payload {
  const named = block?.id === undefined ? block : { ...block, id: `${block.id}-${turn}` }
  return { ...record, index: (index as number) + turn * blocks, ...(named !== undefined && { content_block: named }) }
}

/**
 * The scenario that every format plays, as one response: its blocks over and over with indices that go on, between its first and
 * its last records. A client reads one message per response, so the whole fixture cannot be repeated as in row 3.
 */
export function oneResponse(): ProviderResponse {
  const scenario = fixturesOf('anthropic-messages').find(({ name }) => name.includes('/scenario.'))
  const records = (scenario?.records ?? []).map(({ text }) => JSON.parse(text) as Payload)
  const inBlock = records.filter(({ index }) => index !== undefined)
  const first = records.findIndex(({ index }) => index !== undefined)
  const last = records.findLastIndex(({ index }) => index !== undefined)
  const blocks = Math.max(...inBlock.map(({ index }) => index as number)) + 1
  const times = Math.ceil(SIZE / JSON.stringify(inBlock).length)
  const payloads = [
    ...records.slice(0, first),
    ...Array.from({ length: times }, (_, turn) => inBlock.map((record) => inTurn(record, turn, blocks))).flat(),
    ...records.slice(last + 1),
  ]
  const lines = payloads.map((payload) => JSON.stringify(payload))
  const frames = payloads.map(({ type }, at) => `event: ${type}\ndata: ${lines[at]}\n\n`)
  return { bytes: new TextEncoder().encode(frames.join('')), payloads: lines }
}
