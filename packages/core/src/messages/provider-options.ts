import type { Folded, ReasoningSegment, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import type { ProviderOptions } from './model-types.ts'

/** How the AI SDK's providers spell what they read of a part, by our name of the field. */
const NAMES: { readonly [provider: string]: { readonly [field: string]: string } } = {
  anthropic: { caller: 'caller', toolset_name: 'toolsetName', toolsetName: 'toolsetName' },
  openai: { item_id: 'itemId', itemId: 'itemId', phase: 'phase' },
  google: {
    thoughtSignature: 'thoughtSignature',
    toolType: 'serverToolType',
    serverToolType: 'serverToolType',
    serverToolCallId: 'serverToolCallId',
  },
}

/** What the providers of the AI SDK want back with a part, in their spelling; undefined if there is nothing. */
export function providerOptionsOf(segment: Folded): ProviderOptions | undefined {
  const kept: { [provider: string]: JsonObject } = {}
  for (const [provider, fields] of Object.entries(segment.meta ?? {})) {
    if (provider === 'millrace') continue
    const names = NAMES[provider]
    kept[provider] = {
      ...(names === undefined ? readable(fields) : spelled(fields, names)),
      ...sealOf(provider, segment),
    }
  }
  const filled = Object.entries(kept).filter(([, fields]) => Object.keys(fields).length > 0)
  return filled.length === 0 ? undefined : (Object.fromEntries(filled) as ProviderOptions)
}

/** Of any other provider, what the AI SDK itself may have sent. */
const readable = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !field.includes('_')))

function spelled(fields: JsonObject, names: { readonly [field: string]: string }): JsonObject {
  const entries = Object.entries(fields).flatMap(([field, value]): [string, Json][] =>
    Object.hasOwn(names, field) ? [[names[field] as string, field === 'caller' ? callerOf(value) : value]] : [],
  )
  return Object.fromEntries(entries)
}

function callerOf(value: Json): Json {
  if (!isJsonObject(value)) return value
  const { tool_id: toolId, ...rest } = value
  return { ...rest, ...(toolId !== undefined && { toolId }) }
}

type Sealed = Folded &
  Partial<Pick<ReasoningSegment, 'signature' | 'encrypted'> & Pick<ToolSegment, 'server' | 'callId'>>

/** Fields of a segment itself that a provider of the AI SDK reads among its options. */
const seals: { readonly [provider: string]: (segment: Sealed) => JsonObject } = {
  anthropic: ({ signature, encrypted, server, meta }) => ({
    ...(signature !== undefined && { signature }),
    ...(encrypted !== undefined && { redactedData: encrypted }),
    ...(meta?.anthropic?.type === 'mcp_tool_use' && { type: 'mcp-tool-use' }),
    ...(meta?.anthropic?.type === 'mcp_tool_use' && server !== undefined && { serverName: server }),
  }),
  openai: ({ encrypted }) => (encrypted === undefined ? {} : { reasoningEncryptedContent: encrypted }),
  google: ({ signature, callId, meta }) => ({
    ...(signature !== undefined && { thoughtSignature: signature }),
    ...(meta?.google?.toolType !== undefined && callId !== undefined && { serverToolCallId: callId }),
  }),
}

function sealOf(provider: string, segment: Folded): JsonObject {
  return Object.hasOwn(seals, provider) ? (seals[provider]?.(segment as never) ?? {}) : {}
}
