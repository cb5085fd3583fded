import type { Json } from '@millrace/core/json'
import { z } from 'zod'
import type { Files } from '../../files/files.ts'
import type { BroughtPart } from '../../run/brought-messages.ts'
import type { SentMessage } from '../branch.ts'
import { broughtFile } from '../message-files.ts'
import { type ChatRequest, fileShape, userInputIn } from './chat-request.ts'

const json = z.json().optional()
const toolShape = z.object({
  type: z.string(),
  toolName: z.string().max(1_000).optional(),
  state: z.string(),
  input: json,
  output: json,
  errorText: z.string().optional(),
})
const proseShape = z.object({ type: z.enum(['text', 'reasoning']), text: z.string() })

type Part = ChatRequest['messages'][number]['parts'][number]
type ToolPart = z.output<typeof toolShape>

/** The messages of a request, instructions left out. The id of an answer is that of its run. */
export function sentMessages(files: Files, messages: ChatRequest['messages']): readonly SentMessage[] {
  return messages.flatMap((message): readonly SentMessage[] => {
    const { id = '', role, parts } = message
    if (role === 'system') return []
    const runIds = role === 'assistant' ? [id] : []
    const { text } = userInputIn(message)
    return [{ ...(id !== '' && { clientId: id }), role, runIds, text, parts: () => broughtParts(files, parts) }]
  })
}

async function broughtParts(files: Files, parts: readonly Part[]): Promise<readonly BroughtPart[]> {
  const brought: BroughtPart[] = []
  for (const part of parts) brought.push(...(await broughtPart(files, part)))
  return brought
}

async function broughtPart(files: Files, part: Part): Promise<readonly BroughtPart[]> {
  const prose = proseShape.safeParse(part).data
  if (prose !== undefined) return prose.text === '' ? [] : [prose]
  const file = fileShape.safeParse(part).data
  if (file !== undefined) return [await broughtFile(files, file)]
  const name = part.type === 'dynamic-tool' ? undefined : /^tool-(.+)$/s.exec(part.type)?.[1]
  if (name === undefined && part.type !== 'dynamic-tool') return []
  const tool = toolShape.safeParse(part).data
  return tool === undefined ? [] : [{ type: 'tool', name: tool.toolName ?? name ?? 'unknown', ...callOf(tool) }]
}

function callOf({
  state,
  input,
  output,
  errorText,
}: ToolPart): Pick<BroughtPart & { type: 'tool' }, 'input' | 'result'> {
  const call = { input: input ?? {} }
  const result = results[state]?.(output ?? null, errorText ?? 'The tool failed.')
  return result === undefined ? call : { ...call, result }
}

type Result = NonNullable<Extract<BroughtPart, { readonly type: 'tool' }>['result']>

/** By the state of a part. A call in any other state has no output, whatever was approved. */
const results: { readonly [state: string]: ((output: Json, error: string) => Result) | undefined } = {
  __proto__: null as never,
  'output-available': (output) => ({ status: 'ok', output }),
  'output-error': (output, error) => ({ status: 'error', output: output ?? error, error }),
  'output-denied': () => ({ status: 'denied', output: null }),
}
