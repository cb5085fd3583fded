import type { Message } from '@ag-ui/client'
import type { ToolStatus } from '@millrace/core/event-fields'
import type { EventOf } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { Call, PublicRun } from '@millrace/testkit/public-run'
import { assistantEvents } from '@millrace/testkit/public-values'

type Fields = { readonly [field: string]: Json | undefined }

/** A call as the client holds it. */
export function readTool(id: string, messages: readonly Message[]): object {
  const call = messages
    .flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))
    .find((one) => one.id === id)
  const results = messages.flatMap((one) => (one.role === 'tool' && one.toolCallId === id ? [one] : []))
  const isError = (results[0]?.metadata as Fields | undefined)?.isError
  return {
    name: call?.function.name,
    input: jsonOf(call?.function.arguments ?? ''),
    results: results.map(({ content }) => (isText(content as Json) ? content : JSON.stringify(content))),
    ...(isError === true && { isError }),
  }
}

/** The content of a failure that says nothing. */
const SILENT: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'Cancelled',
}

/** The arguments are what has streamed: nothing can be taken back. */
export function toolOf({ segment: { name }, streamed, input, output }: Call): object {
  const results = output === undefined ? [] : [contentOf(output)]
  const isFailed = output !== undefined && output.status !== 'ok'
  return {
    name,
    input: streamed === '' ? (input?.input ?? input?.text ?? '') : jsonOf(streamed),
    results,
    ...(isFailed && { isError: true }),
  }
}

/** The message that a call says it belongs to. */
export function parentOf(id: string, chunks: readonly Chunk[]): string {
  const start = chunks.find(({ type, toolCallId }) => type === 'TOOL_CALL_START' && toolCallId === id)
  return String(start?.parentMessageId).replace('run/', '')
}

/** Calls that an agent makes at once belong to one message: the text before them, or one of their own. */
export function parentsIn({ entries }: PublicRun): ReadonlyMap<string, string> {
  const current = new Map<string, string>()
  const agents = new Map<string, string>()
  const parents = new Map<string, string>()
  for (const event of assistantEvents(entries, 'all')) {
    const agent = event.agentId ?? ''
    if (event.type === 'message-start' || (event.type === 'block-start' && event.kind === 'reasoning'))
      current.delete(agent)
    if (event.type === 'block-start' && event.kind === 'text') current.set(agent, event.blockId)
    if (event.type === 'tool-output') current.delete(agents.get(event.callId) ?? agent)
    if (event.type !== 'tool-start') continue
    const parent = current.get(agent) ?? `calls/${event.callId}`
    agents.set(event.callId, agent)
    current.set(agent, parent)
    parents.set(event.callId, parent)
  }
  return parents
}

function contentOf({ status, output, error }: EventOf<'tool-output'>): string {
  if (status !== 'ok' && (output === null || output === '')) return error ?? SILENT[status]
  return isText(output) ? output : JSON.stringify(output)
}

const isText = (value: Json | undefined): value is string => typeof value === 'string'

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
