import { clientToolsIn } from '../data/client-tools.ts'
import type { CreatePass } from './pass.ts'

/**
 * A call of a tool that the client offered with its message is the client's to run, whatever the format says about its
 * calls: no agent has such a tool. The offer is in the log with the message, so reading again gives the same.
 */
export const clientTools: CreatePass = (emit) => {
  const offered = new Set<string>()
  return {
    push(event) {
      if (event.type === 'message-start') {
        for (const { name } of clientToolsIn(event.meta?.millrace?.client)) offered.add(name)
      }
      const isOffered = event.type === 'tool-start' && event.runBy === 'agent' && offered.has(event.name)
      emit(isOffered ? { ...event, runBy: 'client' } : event)
    },
    end() {},
  }
}
