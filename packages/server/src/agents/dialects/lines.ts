import { isJsonObject, isText } from '@millrace/core/json'
import type { AgentHost } from '../../run/agent.ts'
import type { Pipe } from '../pipe.ts'
import { type Dialect, onStop } from './dialect.ts'

/** Lines of `{type, data}` both ways: `input`, `answer`, `message` and `stop` to the program. */
export const lines: Dialect = {
  format: 'agent-lines',
  can: { steer: true, session: 'resume' },
  stopDelay: 1500,
  argv: () => [],
  async *converse(turn, host, pipe) {
    const { request, prompt, files, session } = turn
    const send = (type: string, data: object) => pipe.write({ type, data })
    send('input', {
      text: prompt,
      files: files.map(({ path, mediaType }) => ({ path, mediaType })),
      history: request.history.map(({ role, segments }) => ({
        role,
        text: segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join('\n\n'),
      })),
      ...(session !== undefined && { session: session.id }),
      cwd: request.cwd,
    })
    onStop(turn, () => send('stop', {}))
    void steer(host, pipe)
    for await (const { bytes, value } of pipe.lines) {
      yield bytes
      if (!isJsonObject(value)) continue
      const data = isJsonObject(value.data) ? value.data : value
      if (value.type === 'ask' && isText(data.id)) void answer(data.id, host, pipe)
      if (value.type === 'session' && isText(data.id)) host.session(data.id, isText(data.at) ? data.at : undefined)
      if (value.type === 'done') pipe.finish()
    }
  },
}

async function answer(id: string, host: AgentHost, pipe: Pipe): Promise<void> {
  pipe.write({ type: 'answer', data: { id, ...(await host.answer(id)) } })
}

async function steer(host: AgentHost, pipe: Pipe): Promise<void> {
  for await (const { messageId, text } of host.messages())
    pipe.write({ type: 'message', data: { id: messageId, text } })
}
