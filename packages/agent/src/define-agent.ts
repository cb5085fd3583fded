import type { Agent } from '@millrace/core/agent'
import type { Json } from '@millrace/core/json'
import { type AgentEvent, agentEventProblem } from './events.ts'
import type { ExecutionContext } from './execution-context.ts'
import { type ModelAgent, modelAgent } from './loop/model-agent.ts'
import { agentOf, type Memory, memoryOf, type Named } from './named.ts'
import { recordText } from './record-text.ts'
import { shareOf } from './run-share.ts'

/** An agent that is code of its own. */
export interface CodeAgent extends Named {
  /**
   * Yields what the agent does. `final` or `error` ends the run; a return is `final`, a throw fails the run with that
   * error. `config` is what the client sent beside its message, `{}` if that is nothing.
   */
  call(memory: Memory, ctx: ExecutionContext, config: Json): AsyncIterable<AgentEvent>
}

/** The format that reads the seven events. */
const FORMAT = 'agent-event'

/** An agent: a model with tools, or code of its own. */
export function defineAgent(agent: ModelAgent): Agent
export function defineAgent(agent: CodeAgent): Agent
export function defineAgent(agent: ModelAgent | CodeAgent): Agent {
  return 'model' in agent ? modelAgent(agent) : codeAgent(agent)
}

function codeAgent(agent: CodeAgent): Agent {
  return agentOf(agent, FORMAT, async function* (request, ctx) {
    const events = agent.call(memoryOf(request), ctx, request.input.client ?? {})
    let end: AgentEvent = { type: 'final' }
    for await (const event of events) {
      const problem = agentEventProblem(event)
      if (problem !== undefined) throw new TypeError(problem)
      if (event.type === 'final' || event.type === 'error') {
        end = event
        break
      }
      yield lineOf(event, ctx)
    }
    // An agent that was stopped has not come to its end.
    if (!ctx.signal.aborted) yield lineOf(end, ctx)
  })
}

function lineOf(event: AgentEvent, ctx: ExecutionContext): string {
  const { marks } = shareOf(ctx)
  const millrace = event.type === 'tool_result' ? marks.get(event.callId ?? '') : undefined
  if (millrace === undefined) return recordText(event)
  marks.delete(event.callId ?? '')
  return recordText({ ...event, millrace })
}
