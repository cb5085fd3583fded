import { isJsonObject, type Json, type JsonObject } from '@millrace/core/json'
import { blocksIn, type ProviderRule } from './rule.ts'

/** The rules of the AI SDK for the messages of `streamText`. */
export const aiSdkRules: readonly ProviderRule[] = [
  {
    id: 'M1',
    promise: 'each call of the client has a result before the next message of the user, and before the end',
    *check(messages) {
      let open = new Set<Json | undefined>()
      for (const message of messages) {
        if (message.role === 'user' || message.role === 'system') {
          for (const id of open) yield `the call ${id} has no result`
          open = new Set()
        }
        for (const { type, toolCallId, providerExecuted } of blocksIn(message)) {
          if (type === 'tool-call' && providerExecuted !== true) open.add(toolCallId)
          if (type === 'tool-result') open.delete(toolCallId)
        }
        if (blocksIn(message).length === 0) yield `a message of the ${message.role} is empty`
      }
      for (const id of open) yield `the call ${id} has no result`
    },
  },
  {
    id: 'M2',
    promise: 'what a provider wants back is spelled as the AI SDK reads it',
    *check(messages) {
      for (const block of messages.flatMap((message) => blocksIn(message)))
        for (const [provider, fields] of Object.entries((block.providerOptions ?? {}) as JsonObject))
          for (const path of namesIn(fields)) if (path.includes('_')) yield `${provider}.${path} is not read`
    },
  },
]

/** The names of a provider's fields; what a provider sent whole keeps its own names. */
function namesIn(fields: Json): readonly string[] {
  if (!isJsonObject(fields)) return []
  return Object.entries(fields).flatMap(([name, value]) =>
    name === 'caller' && isJsonObject(value) ? [name, ...Object.keys(value)] : [name],
  )
}
