import { setTimeout } from 'node:timers/promises'
import type { Agent } from '@millrace/server/run/agent'

/** Says a word now and then, until it is asked to stop. */
export const ticking: Agent = {
  name: 'ticking',
  title: 'Ticking',
  format: 'agent-lines',
  framing: 'json-lines',
  async *run({ signal }) {
    while (!signal.aborted) {
      yield Buffer.from(`${JSON.stringify({ type: 'text', data: { content: 'tick ' } })}\n`)
      await setTimeout(50)
    }
  },
}
