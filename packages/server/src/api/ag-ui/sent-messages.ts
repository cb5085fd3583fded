import type { Json } from '@millrace/core/json'
import { z } from 'zod'
import type { Files } from '../../files/files.ts'
import type { BroughtPart, BroughtResult } from '../../run/brought-messages.ts'
import type { SentMessage } from '../branch.ts'
import { broughtFile } from '../message-files.ts'
import { contentOf, type RunRequest } from './request.ts'

const callShape = z.object({
  id: z.string(),
  function: z.object({ name: z.string().max(1_000), arguments: z.string() }),
})
const messageShape = z.object({
  id: z.string().max(1_000).optional().catch(undefined),
  toolCallId: z.string().max(1_000).optional().catch(undefined),
  toolCalls: z.array(z.unknown()).optional().catch(undefined),
  error: z.string().optional().catch(undefined),
})

type Message = RunRequest['messages'][number]
type Call = z.output<typeof callShape>

/** A role that the log has no message for: results belong to their calls, instructions and activities to no message. */
const authors: { readonly [role: string]: SentMessage['role'] | undefined } = {
  __proto__: null as never,
  user: 'user',
  assistant: 'assistant',
  reasoning: 'assistant',
}

/**
 * The messages of a request, without instructions. On this wire the ids of messages and calls begin with that of their run.
 * Results and activities are no messages of their own, but may name a run, too.
 */
export function sentMessages(files: Files, messages: readonly Message[]): readonly SentMessage[] {
  const results = resultsIn(messages)
  return messages.flatMap((message): readonly SentMessage[] => {
    const { id, toolCallId, toolCalls = [] } = messageShape.parse(message)
    const calls = toolCalls.flatMap((call) => callShape.safeParse(call).data ?? [])
    const role = authors[message.role]
    const runIds = role === 'user' ? [] : [id, toolCallId, ...calls.map((call) => call.id)].flatMap(runIdIn)
    if (role === undefined && runIds.length === 0) return []
    const { text } = contentOf(message)
    const parts = () => (role === undefined ? Promise.resolve([]) : partsOf(files, message, calls, results))
    return [{ ...(id !== undefined && { clientId: id }), role: role ?? 'assistant', runIds, text, parts }]
  })
}

/** The ids of runs contain no slash. */
const runIdIn = (id: string | undefined): readonly string[] => (id?.includes('/') ? [id.slice(0, id.indexOf('/'))] : [])

async function partsOf(
  files: Files,
  message: Message,
  calls: readonly Call[],
  results: ReadonlyMap<string, BroughtResult>,
): Promise<readonly BroughtPart[]> {
  const { text, files: sent } = contentOf(message)
  const type = message.role === 'reasoning' ? 'reasoning' : 'text'
  const parts: BroughtPart[] = text === '' ? [] : [{ type, text }]
  for (const file of sent) parts.push(await broughtFile(files, file))
  for (const { id, function: called } of calls) {
    const result = results.get(id)
    const call = { type: 'tool', name: called.name, input: inputOf(called.arguments) } as const
    parts.push(result === undefined ? call : { ...call, result })
  }
  return parts
}

function resultsIn(messages: readonly Message[]): ReadonlyMap<string, BroughtResult> {
  const results = new Map<string, BroughtResult>()
  for (const message of messages) {
    const { toolCallId, error } = messageShape.parse(message)
    if (message.role !== 'tool' || toolCallId === undefined) continue
    const output = (message.content ?? null) as Json
    results.set(toolCallId, error === undefined ? { status: 'ok', output } : { status: 'error', output, error })
  }
  return results
}

function inputOf(text: string): Json {
  try {
    return text === '' ? {} : (JSON.parse(text) as Json)
  } catch {
    return text
  }
}
