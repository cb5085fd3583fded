import type { ChatEvent, Segment } from '@millrace/core/fold'
import { type AbstractChat, DefaultChatTransport, isToolUIPart, type UIMessage } from 'ai'
import { createChat } from '../../wires/readers/ai-sdk.ts'
import type { SwitchServer } from '../program.ts'

/** What the page of the first system draws: the parts of a message, read by type and by the variant of reasoning. */
export type Page = AbstractChat<UIMessage>

/** The page reads the variants of the document, which is a profile of the wire. */
const headersOf = ({ headers }: SwitchServer) => ({ ...headers, 'millrace-profile': 'mobox' })

/** A page as it is opened or reloaded: with the messages that it has loaded. */
export function openPage(server: SwitchServer, id: string, messages: readonly UIMessage[]): Page {
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${server.origin}/api/chat`,
    headers: headersOf(server),
  })
  const page = createChat({ id, transport, onError: (error) => process.stderr.write(`${error.message}\n`) })
  page.messages = [...messages]
  return page
}

export async function loadMessages(server: SwitchServer, id: string): Promise<readonly UIMessage[]> {
  const response = await fetch(`${server.origin}/api/chat/${id}`, { headers: headersOf(server) })
  return ((await response.json()) as { messages: UIMessage[] }).messages
}

const partsOf = ({ messages }: Page) => messages.flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))

export const textOf = (page: Page): string =>
  partsOf(page)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')

/** Blocks of reasoning: the variant and the lines of each. */
export function blocksOf(page: Page): readonly { readonly variant: unknown; readonly lines: readonly string[] }[] {
  return partsOf(page).flatMap((part) => {
    if (part.type !== 'reasoning') return []
    return [{ variant: part.providerMetadata?.mobox?.variant, lines: part.text.trimEnd().split('\n') }]
  })
}

/** Calls: the name of the tool and its output. */
export const callsOf = (page: Page): readonly (readonly [string | undefined, unknown])[] =>
  partsOf(page).flatMap((part) =>
    isToolUIPart(part)
      ? [[part.type === 'dynamic-tool' ? part.toolName : part.type.slice(5), part.output] as const]
      : [],
  )

/** The frame that is marked as the total, and what came of the result. */
export const usageOf = (page: Page): object =>
  Object.assign({}, ...partsOf(page).flatMap((part) => (part.type === 'data-usage' ? [part.data] : [])))

/** What the fold has, for comparison: all segments, those of subagents among them. */
export function segmentsOf(chatEvents: readonly ChatEvent[]): readonly Segment[] {
  const within = (segment: Segment): readonly Segment[] =>
    segment.type === 'subagent' ? [segment, ...segment.segments.flatMap(within)] : [segment]
  return chatEvents.filter(({ role }) => role === 'assistant').flatMap(({ segments }) => segments.flatMap(within))
}
