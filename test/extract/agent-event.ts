import type { ExtractFrom, Unread } from './extract.ts'

const WRITTEN =
  'Its text is what a client without subagents and message bounds can show; test/round-trip.test.ts reads it back.'

export const unread: Unread = {
  'agent-event/written-without-events.jsonl': WRITTEN,
  'agent-event/written-everything.jsonl': WRITTEN,
  'agent-event/written-failure.jsonl': WRITTEN,
}

interface Value {
  readonly type?: string
  readonly content?: unknown
  readonly toolName?: string
  readonly toolArgs?: unknown
  readonly data?: unknown
  readonly seq?: number
  readonly runId?: string
}

/** What may come between two chunks of one text. */
const CONTINUING: ReadonlySet<unknown> = new Set(['stream', 'text_chunk', 'tool_progress', 'tool_result', 'heartbeat'])

/** Chunks of the answer are joined until a thought or a call comes between them. */
export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const reasoning: string[] = []
  const tools: { name: string; input: unknown }[] = []
  let isOpen = false
  /** The texts of the agents that are being called, the latest last: what they say is the progress of their calls. */
  const called: number[] = []
  const say = (data: unknown) => {
    const at = called.at(-1)
    if (at !== undefined && typeof data === 'string') text[at] += data
  }
  let lastSeq = -1
  let lastRun: string | undefined
  for (const value of values as readonly Value[]) {
    const { type, content: rawContent, toolName = 'unknown', toolArgs, seq, runId = lastRun } = value
    if (runId !== lastRun) lastSeq = -1
    lastRun = runId
    if (seq !== undefined && seq <= lastSeq) continue
    const content = typeof rawContent === 'string' ? rawContent : ''
    lastSeq = seq ?? lastSeq
    if (type === 'stream' || type === 'text_chunk') {
      text.push(isOpen ? `${text.pop()}${content}` : content)
      isOpen = true
    }
    if (type === 'thought') reasoning.push(content)
    if (type === 'tool_progress' && toolName === 'call-agent') say(value.data)
    if (type === 'tool_result' && toolName === 'call-agent') called.pop()
    if (type === 'tool_call' && toolName === 'call-agent') called.push(text.push('') - 1)
    if (type === 'tool_call') tools.push({ name: toolName, input: inputOf(toolArgs) })
    const isOrphan =
      (type === 'tool_result' || type === 'tool_progress') && !tools.some(({ name }) => name === toolName)
    if (isOrphan) tools.push({ name: toolName, input: {} })
    if (!CONTINUING.has(type)) isOpen = false
  }
  const isFilled = (piece: string) => piece !== ''
  return { text: text.filter(isFilled), reasoning: reasoning.filter(isFilled), tools }
}

function inputOf(toolArgs: unknown): unknown {
  if (typeof toolArgs !== 'string') return toolArgs ?? {}
  if (toolArgs === '') return {}
  try {
    return JSON.parse(toolArgs)
  } catch {
    return toolArgs
  }
}
