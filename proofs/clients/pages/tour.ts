import type { AgentHost } from '@millrace/server/run/agent'
import { wheelPicture } from '@millrace/server/run/demo/picture'

/** What the pictures are taken of. */
export const QUESTION = 'Can the wheel turn again by spring?'
export const LAST_WORDS = 'The plan is written.'

const line = (type: string, data: object) => ({ type, data })
const call = (id: string, name: string, input: object) => line('tool_use', { id, name, input })
const result = (id: string, content: string) => line('tool_result', { tool_use_id: id, content })
const SCOUT = { agentId: 'timber-scout' }

/** One of each: thoughts, text, a call that is done and one that fails, a helper with a call of its own, a file, and a question. */
export async function* tour(_request: unknown, host: AgentHost): AsyncIterable<object> {
  yield line('thinking', { content: 'The wood first, then the iron.' })
  yield line('text', { content: 'I look at the paddles, and ask for the price of the bearing.' })
  yield call('c1', 'count_paddles', { rotten: true })
  yield result('c1', 'Three of 24 are rotten: 5, 6 and 17')
  yield call('c2', 'ask_foundry', { part: 'bearing' })
  yield line('tool_result', { tool_use_id: 'c2', content: 'The foundry is closed today', is_error: true })
  yield line('subagent_spawn', {
    subagent_id: SCOUT.agentId,
    subagent_type: SCOUT.agentId,
    description: 'Find three boards of dry oak',
  })
  await host.add([
    { type: 'tool-start', callId: 'c3', name: 'search_yards', runBy: 'agent', ...SCOUT },
    { type: 'tool-input', callId: 'c3', input: { wood: 'oak' }, ...SCOUT },
    { type: 'tool-output', callId: 'c3', status: 'ok', output: 'Ashford, 31 km: 2.4 m, dry', ...SCOUT },
  ])
  yield line('subagent_complete', { agent: SCOUT.agentId, summary: 'Ashford has three dry boards, 420 together.' })
  await host.add([
    {
      type: 'file',
      fileId: 'wheel',
      mediaType: 'image/png',
      filename: 'wheel.png',
      bytes: wheelPicture([5, 6, 17]),
    },
  ])
  yield line('text', { content: 'It can: the boards are at **Ashford**. I write the plan, if you agree.' })
  yield call('c4', 'write_file', { path: 'repair-plan.md' })
  const { state } = await host.ask({ callId: 'c4', message: 'May I write repair-plan.md?' })
  yield result('c4', state === 'approved' ? 'Wrote 4 lines' : 'Not written')
  yield line('text', { content: LAST_WORDS })
  yield line('done', {})
}
