import type { Meta, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { Call } from './calls.ts'
import type { UserBlock } from './raw.ts'
import { fileOf } from './user.ts'

/** How the program reports, in a tool's result, that a person rejected the call. */
const DENIED = /^(The user doesn't want to proceed with this tool use|Permission to use .* (has been )?denied)/
const CANCELLED = /^(\[Request interrupted by user|The user doesn't want to take this action right now)/

/** A tool's result: the content that the model gets, and the structured result beside it. */
export function toolResult(
  block: UserBlock,
  callId: string,
  call: Call | undefined,
  structured: Json | undefined,
): readonly StreamEvent[] {
  const content = block.content ?? ''
  const text = textOf(content) || textOf(block.error ?? '')
  const status = block.is_error === true ? failureOf(text, call) : 'ok'
  const output: EventOf<'tool-output'> = {
    type: 'tool-output',
    callId,
    status,
    output: content,
    ...(status !== 'ok' && { error: text || 'The tool failed' }),
    ...structuredMeta(structured, content, text),
  }
  const blocks = Array.isArray(content) ? (content as unknown as readonly (UserBlock | null)[]) : []
  const files = blocks.flatMap((part, index) => {
    const file = part === null ? undefined : fileOf(part, `${callId}:file-${index}`, callId)
    return file === undefined ? [] : [file]
  })
  return [output, ...files]
}

/** Whether a call only launched its subagent, which keeps running. */
export function isLaunch(block: UserBlock, structured: Json | undefined): boolean {
  const status = (structured as { readonly status?: Json } | null | undefined)?.status
  if (typeof status === 'string') return status.endsWith('_launched')
  return /^\s*(async|remote|background)\b[^.\n]*\blaunched\b/i.test(textOf(block.content ?? ''))
}

export function textOf(content: Json): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? (content as readonly ({ readonly text?: Json } | null)[]) : []
  return blocks.flatMap((block) => (typeof block?.text === 'string' ? [block.text] : [])).join('\n')
}

function failureOf(text: string, call: Call | undefined): ToolStatus {
  if (call?.isDenied || DENIED.test(text)) return 'denied'
  return CANCELLED.test(text) ? 'cancelled' : 'error'
}

/** The structured result, unless it only repeats the content. */
function structuredMeta(structured: Json | undefined, content: Json, text: string): { meta?: Meta } {
  if (structured === undefined || structured === null) return {}
  const isRepeated =
    typeof structured === 'string' ? text.includes(structured) : JSON.stringify(structured) === JSON.stringify(content)
  return isRepeated ? {} : { meta: { claude: { tool_use_result: structured } } }
}
