import type { EventOf } from '../../events.ts'

/** Tools of servers are called `mcp__<server>__<tool>`. */
const OF_SERVER = /^mcp__(.+?)__/

/** A call as the agent makes it: it runs its own tools; only what the provider runs stays the provider's. */
export function fromAgent(event: EventOf<'tool-start'>): EventOf<'tool-start'> {
  const server = event.server ?? OF_SERVER.exec(event.name)?.[1]
  return {
    ...event,
    runBy: event.runBy === 'client' ? 'agent' : event.runBy,
    ...(server !== undefined && { server }),
  }
}
