import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import type { McpItem } from './raw.ts'

type Output = Omit<EventOf<'tool-output'>, 'type' | 'callId'>

/** What an MCP server answered: its text where it is nothing else, its structured content beside. */
export function mcpOutput({ result, error }: McpItem, said: ToolStatus): Output {
  const status = error && said === 'ok' ? 'error' : said
  const output = answerOf(result ?? undefined) ?? error?.message ?? ''
  const isText = typeof output === 'string' && output !== ''
  return {
    status,
    output,
    ...(status === 'error' && { error: error?.message ?? (isText ? output : 'The tool failed') }),
  }
}

function answerOf(result: NonNullable<McpItem['result']> | undefined): Json | undefined {
  if (result === undefined) return undefined
  const content = result.content ?? []
  const texts = content.map((piece) => (piece as { readonly text?: Json } | null)?.text)
  const isText = texts.every((text) => typeof text === 'string')
  const plain = isText ? texts.join('\n') : content
  const structured = result.structured_content
  return structured === undefined || structured === null ? plain : { content: plain, structured_content: structured }
}
