import type { SwitchServer } from '../program.ts'
import { readSse } from '../sse.ts'

type AgentEvent =
  | { readonly type: 'thought'; readonly content: string }
  | { readonly type: 'stream'; readonly content: string }
  | { readonly type: 'tool_call'; readonly toolName: string; readonly toolArgs: string }
  | { readonly type: 'tool_progress'; readonly toolName: string; readonly data: unknown }
  | { readonly type: 'tool_result'; readonly toolName: string; readonly output: string; readonly isError?: boolean }
  | { readonly type: 'final' }
  | { readonly type: 'error'; readonly error: string }

interface ToolCard {
  readonly name: string
  readonly args: string
  readonly progress: unknown[]
  output?: string
  isError?: true
}

/** What the page of the second system shows of one answer. */
export interface Bubble {
  readonly thoughts: string[]
  readonly cards: ToolCard[]
  text: string
  end?: string
}

/** The page of a conversation: it opens its stream before it starts anything, and never sees an id of a run. */
export interface Page {
  readonly bubbles: readonly Bubble[]
  /** Fields of frames that the union of the document does not have. */
  readonly strange: ReadonlySet<string>
  close(): void
}

const FIELDS: { readonly [type in AgentEvent['type']]: readonly string[] } = {
  thought: ['content'],
  stream: ['content'],
  tool_call: ['toolName', 'toolArgs'],
  tool_progress: ['toolName', 'data'],
  tool_result: ['toolName', 'output', 'isError'],
  final: [],
  error: ['error'],
}

export function openPage({ origin, headers }: SwitchServer, conversation: string): Page {
  const bubbles: Bubble[] = []
  const strange = new Set<string>()
  const closing = new AbortController()
  const stream = `${origin}/api/threads/${conversation}/stream?wire=agent-event&profile=strict`

  async function read(): Promise<void> {
    const response = await fetch(stream, { headers, signal: closing.signal })
    for await (const event of readSse<AgentEvent>(response)) {
      const known: readonly string[] = ['type', ...(FIELDS[event.type] ?? [])]
      for (const field of Object.keys(event)) if (!known.includes(field)) strange.add(`${event.type}.${field}`)
      if (bubbles.at(-1)?.end !== undefined || bubbles.length === 0) bubbles.push({ thoughts: [], cards: [], text: '' })
      draw(bubbles.at(-1) as Bubble, event)
    }
  }
  read().catch((error: Error) => {
    if (!closing.signal.aborted) bubbles.push({ thoughts: [], cards: [], text: '', end: error.message })
  })
  return { bubbles, strange, close: () => closing.abort() }
}

/** The reducer, as the document's table has it. It knows the tool of a progress by its name only: the last of that name. */
function draw(bubble: Bubble, event: AgentEvent): void {
  const cardOf = (toolName: string) => bubble.cards.findLast(({ name }) => name === toolName)
  switch (event.type) {
    case 'thought':
      bubble.thoughts.push(event.content)
      break
    case 'stream':
      bubble.text += event.content
      break
    case 'tool_call':
      bubble.cards.push({ name: event.toolName, args: event.toolArgs, progress: [] })
      break
    case 'tool_progress':
      cardOf(event.toolName)?.progress.push(event.data)
      break
    case 'tool_result':
      Object.assign(cardOf(event.toolName) ?? {}, { output: event.output }, event.isError === true && { isError: true })
      break
    default:
      bubble.end = event.type === 'error' ? event.error : 'final'
  }
}
