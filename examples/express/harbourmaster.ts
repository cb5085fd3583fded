import type { Agent } from '@millrace/server/agent'

const encoder = new TextEncoder()
const line = (type: string, data: object) => encoder.encode(`${JSON.stringify({ type, data })}\n`)

/** Streams lines of JSON, as a process would on its stdout. */
export const harbourmaster: Agent = {
  name: 'harbourmaster',
  title: 'Harbourmaster',
  format: 'agent-lines',
  framing: 'json-lines',
  async *run({ input }) {
    yield line('status', { message: 'Looking at the berths' })
    yield line('text', { content: `<think>"${input.text}" draws little water.</think>` })
    yield line('text', { content: `Berth four is free for "${input.text}".` })
    yield line('done', {})
  },
}
