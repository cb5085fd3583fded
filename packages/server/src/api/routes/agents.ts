import { type AgentCheck, type AgentInfo, type AgentList, ApiError } from '@millrace/core/api'
import { present } from '@millrace/core/json'
import type { Agent } from '../../run/agent.ts'
import { json } from '../responses.ts'
import type { Context, Route, Services } from '../services.ts'
import { agentNamed, runOf } from './runs.ts'

function infoOf(agent: Agent): AgentInfo {
  const { name, title, description, format, kind = 'code', can = {} } = agent
  const [unavailable, trouble] = [agent.unavailable?.(), agent.trouble?.()]
  return present({ name, title, description, format, kind, can, unavailable, trouble })
}

const listAgents = (context: Context, { runs }: Services) =>
  json<AgentList>(context, { agents: runs.agents().map(infoOf) })

/** Runs something only now, because a person asked. */
async function checkAgent(context: Context, { runs }: Services): Promise<Response> {
  const agent = agentNamed(runs, context.req.param('name') ?? '')
  const sentence = agent.unavailable?.()
  if (sentence !== undefined) return json<AgentCheck>(context, { isReady: false, message: sentence })
  return json<AgentCheck>(context, (await agent.check?.()) ?? { isReady: true, message: 'Nothing has to be tried.' })
}

/** What the process of a run has printed beside its stream. Kept in memory, and only the end of it. */
async function showStderr(context: Context, { log, runs }: Services): Promise<Response> {
  const run = await runOf(context, log)
  const text = runs
    .agents()
    .find(({ name }) => name === run.agent)
    ?.stderr?.(run.id)
  if (text === undefined) throw new ApiError(404, 'no-stderr', `Nothing is kept of the stderr of run "${run.id}".`)
  return context.body(text, 200, { 'content-type': 'text/plain; charset=utf-8' })
}

export const agentRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/agents', policy: 'token', handle: listAgents },
  { method: 'POST', path: '/api/agents/:name/check', policy: 'token', handle: checkAgent },
  { method: 'GET', path: '/api/runs/:id/stderr', policy: 'token', handle: showStderr },
]
