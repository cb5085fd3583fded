import { createRandom } from '@millrace/testkit/seeded'

/** A producer's stream: a format and its records, one per line. */
export interface Stream {
  readonly format: string
  readonly lines: readonly string[]
}

const words = ['mill', 'race', 'Mühlrad', 'Wasser', '水車', '🌊', 'e\u0301', '</think>', '\u2028', 'grain', '0', '"']

/** A made-up stream of about so many records, the same for the same seed. */
export function streamOf(seed: number, records: number): Stream {
  const random = createRandom(seed)
  const kinds = [agentLines, anthropicMessages] as const
  const make = kinds[Math.floor(random() * kinds.length)] ?? agentLines
  return make(random, records)
}

const bytesOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))

/** The bytes from this record on. */
export const bodyOf = ({ lines }: Stream, line = 0): Buffer => bytesOf(lines.slice(line))

type Random = () => number

function saying(random: Random): string {
  const count = 1 + Math.floor(random() * 8)
  return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
}

function agentLines(random: Random, records: number): Stream {
  const line = (type: string, data: object) => JSON.stringify({ type, data })
  const makers: readonly ((number: number) => readonly string[])[] = [
    () => [line('text', { content: saying(random) })],
    () => [line('thinking', { content: saying(random) })],
    () => [line('status', { message: saying(random) })],
    () => [`not a record: ${saying(random).replaceAll('\u2028', ' ')}`],
    (number) => [
      line('tool_use', { id: `call-${number}`, name: 'measure', input: { what: saying(random) } }),
      line('tool_result', { tool_use_id: `call-${number}`, content: saying(random) }),
    ],
  ]
  const lines = [line('start', { prompt_preview: saying(random) })]
  while (lines.length < records) {
    lines.push(...(makers[Math.floor(random() * makers.length)]?.(lines.length) ?? []))
  }
  return { format: 'agent-lines', lines: [...lines, line('done', {})] }
}

function anthropicMessages(random: Random, records: number): Stream {
  const lines: object[] = [
    { type: 'message_start', message: { id: 'msg-1', type: 'message', role: 'assistant', model: 'm', content: [] } },
  ]
  const kinds = [
    { start: { type: 'text', text: '' }, delta: () => ({ type: 'text_delta', text: saying(random) }) },
    {
      start: { type: 'thinking', thinking: '', signature: '' },
      delta: () => ({ type: 'thinking_delta', thinking: saying(random) }),
    },
  ] as const
  for (let index = 0; lines.length < records; index++) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? kinds[0]
    lines.push({ type: 'content_block_start', index, content_block: kind.start })
    const deltas = Math.floor(random() * 40)
    for (let delta = 0; delta < deltas; delta++) lines.push({ type: 'content_block_delta', index, delta: kind.delta() })
    lines.push({ type: 'content_block_stop', index })
  }
  lines.push({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } })
  lines.push({ type: 'message_stop' })
  return { format: 'anthropic-messages', lines: lines.map((line) => JSON.stringify(line)) }
}

/** About so many megabytes of long lines. */
export function largeStream(megabytes: number): Stream {
  const content = 'the water runs over the wheel and the wheel turns the stone. '.repeat(64)
  const line = JSON.stringify({ type: 'text', data: { content } })
  const count = Math.ceil((megabytes * 1024 * 1024) / (line.length + 1))
  const lines = Array.from({ length: count }, (_, number) => line.replace('the water', `the ${number}. water`))
  return { format: 'agent-lines', lines: [...lines, JSON.stringify({ type: 'done', data: {} })] }
}
