import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { indirectCaller, keep } from './details.ts'
import type { ToolResult } from './raw.ts'
import { foundSources } from './sources.ts'

/** Results of the provider's own tools arrive whole. Their types differ by tool, but have the same ending. */
export function isToolResult(block: { readonly type: string }): block is ToolResult {
  return block.type.endsWith('tool_result')
}

export function resultEvents(result: ToolResult): StreamEvent[] {
  const { tool_use_id: callId, content } = result
  const error = errorOf(result)
  const output: EventOf<'tool-output'> = {
    type: 'tool-output',
    callId,
    status: error === undefined ? 'ok' : 'error',
    output: content ?? '',
    ...(error !== undefined && { error }),
    ...keep({ result_type: result.type, caller: indirectCaller(result.caller) }),
  }
  return [output, ...foundSources(content, callId), ...writtenFiles(content, callId)]
}

/** A file that only the provider holds: it has only the provider's id. */
export function fileEvent(fileId: string, callId?: string): EventOf<'file'> {
  return {
    type: 'file',
    fileId,
    mediaType: 'application/octet-stream',
    ...(callId !== undefined && { callId }),
    ...keep({ file_id: fileId }),
  }
}

/** The common shape of the contents of results: the fields that are read. */
interface Content {
  readonly type?: string
  readonly text?: string
  readonly file_id?: string
  readonly error_code?: string
  readonly error_message?: string | null
  readonly content?: Json
}

function errorOf({ content, is_error }: ToolResult): string | undefined {
  const { type, error_code, error_message } = (content ?? {}) as Content
  if (type?.endsWith('_error')) return error_message ?? error_code ?? type
  return is_error === true ? textOf(content) : undefined
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? (content as readonly (Content | null)[]) : []
  return parts.map((part) => part?.text ?? '').join('') || 'The tool failed'
}

/** Files that executed code has written. */
function writtenFiles(content: Json | undefined, callId: string): StreamEvent[] {
  const outputs = (content as Content | null | undefined)?.content
  if (!Array.isArray(outputs)) return []
  return (outputs as readonly (Content | null)[]).flatMap((output) =>
    typeof output?.file_id === 'string' ? [fileEvent(output.file_id, callId)] : [],
  )
}
