/**
 * The agent of the fifth system, in the folder of the server: its model writes thoughts between tags into its text, cut anywhere.
 * It emits raw tokens and the clean content to its own listeners, and keeps its thread in a file, raw, for its next request.
 */
export const MODEL_PIECES: readonly string[] = [
  '<thi',
  'nk>Planning',
  '...</think>I will ',
  'help you. In code `<think>` is ',
  'a tag.\n',
  '<think>One more',
  ' thought.</th',
  'ink>Done.',
]

export const LOCKKEEPER = `import { appendFileSync } from 'node:fs'
import { createAgentTurn } from '@millrace/core/compat/thread-processor'

const PIECES = ${JSON.stringify(MODEL_PIECES)}
const keep = (kind, value) => appendFileSync('lock-' + kind + '.jsonl', JSON.stringify(value) + '\\n')

export default {
  title: 'Lockkeeper',
  format: 'openai-chat',
  framing: 'sse',
  async *run({ runId, input }) {
    const chunk = (delta, finish_reason = null) =>
      new TextEncoder().encode('data: ' + JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1763200000, model: 'thinker', choices: [{ index: 0, delta, finish_reason }] }) + '\\n\\n')
    keep('thread', { id: runId + '-u', type: 'USER_MESSAGE', timestamp: new Date(), data: input.text })
    const turn = createAgentTurn({ id: runId + '-a', emit: (notice) => keep('notices', notice) })
    for (const content of PIECES) {
      turn.token(content)
      yield chunk({ role: 'assistant', content })
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    keep('thread', turn.complete())
    yield chunk({}, 'stop')
  },
}
`

/** A thread as the fifth system keeps it, of the time before. */
export const HISTORY: readonly object[] = [
  { id: 'e1', type: 'USER_MESSAGE', timestamp: '2025-08-11T09:00:00.000Z', data: 'Is the lock open?' },
  { id: 'e2', type: 'AGENT_MESSAGE', timestamp: '2025-08-11T09:00:01.000Z', data: '<think>I look.</think>One moment.' },
  {
    id: 'e3',
    type: 'TOOL_CALL',
    timestamp: '2025-08-11T09:00:02.000Z',
    data: { toolName: 'look', input: { at: 'lock' }, callId: 'l1' },
  },
  {
    id: 'e4',
    type: 'TOOL_RESULT',
    timestamp: '2025-08-11T09:00:03.000Z',
    data: { callId: 'l1', output: 'open', success: true },
  },
  { id: 'e5', type: 'AGENT_MESSAGE', timestamp: '2025-08-11T09:00:04.000Z', data: 'It is.' },
  { id: 'e6', type: 'LOCAL_SYSTEM_MESSAGE', timestamp: '2025-08-11T09:00:05.000Z', data: 'The thread was saved.' },
]
