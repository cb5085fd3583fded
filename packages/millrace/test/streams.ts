/** A short answer of the Messages API: thinking, then text. */
export const anthropicRecords = [
  {
    type: 'message_start',
    message: {
      id: 'msg_tide',
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'The moon, mostly.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'The moon ' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'pulls the sea.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
] as const

/** What an agent prints to its stdout: a status, a tool with its result, an answer. */
export const agentLineRecords = [
  { type: 'start', data: { agent: 'harbour' } },
  { type: 'status', data: { message: 'Looking at the charts' } },
  { type: 'tool_use', data: { id: 'call_1', name: 'read_chart', input: { bay: 'north' } } },
  { type: 'tool_result', data: { tool_use_id: 'call_1', content: 'four fathoms' } },
  { type: 'text', data: { content: 'Four fathoms at low water.' } },
  { type: 'done', data: {} },
] as const

export const jsonLinesOf = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

const sseOf = (records: readonly { readonly type: string }[]) =>
  records.map((record) => `event: ${record.type}\ndata: ${JSON.stringify(record)}\n\n`).join('')

export const anthropicLines = jsonLinesOf(anthropicRecords)
export const anthropicSse = sseOf(anthropicRecords)
export const agentLines = jsonLinesOf(agentLineRecords)

/** The answer with `pieces` more deltas of text, for inputs of any size. */
export function* longAnthropicLines(pieces: number, text: string): Generator<string> {
  yield jsonLinesOf(anthropicRecords.slice(0, 6))
  const delta = { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }
  const batch = jsonLinesOf([delta]).repeat(100)
  for (let written = 0; written < pieces; written += 100) yield batch
  yield jsonLinesOf(anthropicRecords.slice(8))
}
