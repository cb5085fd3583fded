/**
 * The agents of the second system, as they are written there: a tool yields progress and a result, the agent adapts both, and
 * an agent that calls another is a tool around it. One tool waits until it is stopped.
 */
export const STOREMAN = `import { defineAgent } from '@millrace/agent'

const TOOL = 'run_shell_command'

class ShellTool {
  async *call({ command }, ctx) {
    for (const content of ['client\\n', 'server\\n'])
      yield ctx.toolEvent({ type: 'progress', toolName: TOOL, data: { subtype: 'stdout_chunk', content } })
    yield ctx.toolEvent({ type: 'progress', toolName: TOOL, data: { subtype: 'transfer_progress', percent: 65 } })
    if (command === 'wait') await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    const isError = command === 'fail'
    yield ctx.toolEvent({ type: 'result', toolName: TOOL, output: '{"stdout":"client\\\\nserver\\\\n","stderr":""}', ...(isError && { isError }) })
  }
}

async function* work(command, ctx) {
  yield ctx.agentEvent({ type: 'thought', content: 'I need to list the files.' })
  yield ctx.agentEvent({ type: 'tool_call', toolName: TOOL, toolArgs: JSON.stringify({ command }) })
  for await (const event of new ShellTool().call({ command }, ctx)) yield ctx.adaptToolEvent(event)
  yield ctx.agentEvent({ type: 'thought', content: 'I have the list.' })
  for (const content of ['The folder', ' contains:', ' client and server.']) yield ctx.agentEvent({ type: 'stream', content })
  yield ctx.agentEvent({ type: 'final' })
}

export default defineAgent({
  title: 'Storeman',
  call: ({ input }, ctx) => work(/fail|wait/.exec(input.text)?.[0] ?? 'ls -l src', ctx),
})
`

export const CAPTAIN = `import { callAgentTool, defineAgent } from '@millrace/agent'

export default defineAgent({
  title: 'Captain',
  async *call({ input }, ctx) {
    yield ctx.agentEvent({ type: 'thought', content: 'The storeman knows.' })
    for (const agentId of ['storeman', 'nobody']) yield* ctx.callTool(callAgentTool, { agentId, task: input.text })
    yield ctx.agentEvent({ type: 'stream', content: 'Aye.' })
    yield ctx.agentEvent({ type: 'final' })
  },
})
`
