import { HttpAgent } from '@ag-ui/client'
import type { AgentRequest } from '../src/run/agent.ts'
import { done } from './scripted-agents.ts'
import { type Serving, scripted, text } from './serving.ts'

/** An agent that notes its requests. */
export function noting() {
  const requests: AgentRequest[] = []
  const agent = scripted('noting', async function* (request) {
    requests.push(request)
    yield text(`Answer to ${request.input.text}.`)
    yield done
  })
  return { agent, requests, last: () => requests.at(-1) as AgentRequest }
}

/** The history of a request, a line a message. */
export const linesOf = ({ history }: AgentRequest) =>
  history.map(({ role, segments }) => {
    const shown = segments.map((segment) => {
      if (segment.type === 'tool') return `${segment.name}(${JSON.stringify(segment.input)}) ${segment.state}`
      return 'text' in segment ? `${segment.type === 'text' ? '' : 'thinks '}${segment.text}` : segment.type
    })
    return `${role}: ${shown.join(' | ')}`
  })

/** The protocol's own client. */
export function agUiClient({ url, token }: Serving, agent = 'noting', threadId = 'thread-1'): HttpAgent {
  return new HttpAgent({
    url: `${url}/api/ag-ui/${agent}`,
    headers: { authorization: `Bearer ${token}` },
    threadId,
  })
}
