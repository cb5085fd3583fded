import { clientToolsIn } from '../data/client-tools.ts'
import { rememberOne } from '../data/remember.ts'
import { isJsonObject, isText, type Json } from '../json.ts'
import type { CreatePass } from './pass.ts'

/**
 * Says who runs a call if the log knows better than its format. A call of a tool that the client offered with its message is the
 * client's to run: no agent has such a tool. A provider leaves every call to its caller: if that is an agent of the server, which
 * names its tools in the metadata of the run, the agent runs them. Both are in the log, so reading again gives the same.
 */
export const clientTools: CreatePass = (emit) => {
  const offered = new Set<string>()
  const own = new Set<string>()
  return {
    push(event) {
      if (event.type === 'message-start') {
        for (const { name } of clientToolsIn(event.meta?.millrace?.client)) offered.add(name)
      }
      if (event.type === 'metadata') for (const name of agentToolsIn(event.metadata.millrace)) rememberOne(own, name)
      if (event.type !== 'tool-start') return emit(event)
      if (event.runBy === 'client' && own.has(event.name)) return emit({ ...event, runBy: 'agent' })
      const isOffered = event.runBy === 'agent' && offered.has(event.name)
      emit(isOffered ? { ...event, runBy: 'client' } : event)
    },
    end() {},
  }
}

/** The names of the tools that an agent runs itself, as its metadata has them. */
function agentToolsIn(millrace: Json | undefined): readonly string[] {
  const names = isJsonObject(millrace) ? millrace.agentTools : undefined
  return Array.isArray(names) ? names.filter(isText) : []
}
