import type { EndpointName } from '../src/agents/endpoints/index.ts'
import { createHttpAgent, type HttpOptions } from '../src/agents/http-agent.ts'
import type { HttpSpec } from '../src/agents/http-spec.ts'
import { type CallLimits, defaultCallLimits } from '../src/agents/outbound/limits.ts'
import { readTarget } from '../src/agents/outbound/target.ts'
import type { Agent } from '../src/run/agent.ts'
import { workFolder } from './process-bench.ts'

export type HttpFields = Partial<Omit<HttpSpec, 'limits'>> & { readonly limits?: Partial<CallLimits> }

/** An agent behind an address, which does not wait between its tries. */
export function httpAgent(
  endpoint: EndpointName,
  url: string,
  { limits, ...fields }: HttpFields = {},
  options: Partial<HttpOptions> = {},
): Agent {
  const read = readTarget(url)
  if ('problem' in read) throw new Error(read.problem)
  const spec: HttpSpec = {
    name: 'tester',
    title: 'Tester',
    endpoint,
    target: read.target,
    headers: {},
    env: [],
    limits: { ...defaultCallLimits, ...limits },
    ...(endpoint === 'any' && { format: 'agent-lines' }),
    ...fields,
  }
  return createHttpAgent(spec, { threads: workFolder(), pauses: [1, 1], ...options })
}
