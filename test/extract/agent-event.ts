import type { ExtractFrom } from './extract.ts'

interface Value {
  readonly type?: string
  readonly content?: unknown
  readonly toolName?: string
  readonly toolArgs?: unknown
  readonly seq?: number
}

/** Chunks of the answer are joined until a thought or a call comes between them. */
export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const reasoning: string[] = []
  const tools: { name: string; input: unknown }[] = []
  let isOpen = false
  let lastSeq = -1
  for (const { type, content: rawContent, toolName = 'unknown', toolArgs, seq } of values as readonly Value[]) {
    if (seq !== undefined && seq <= lastSeq) continue
    const content = typeof rawContent === 'string' ? rawContent : ''
    lastSeq = seq ?? lastSeq
    if (type === 'stream' || type === 'text_chunk') {
      text.push(isOpen ? `${text.pop()}${content}` : content)
      isOpen = true
    }
    if (type === 'thought') reasoning.push(content)
    if (type === 'tool_call') tools.push({ name: toolName, input: inputOf(toolArgs) })
    const isOrphan = type === 'tool_result' && !tools.some(({ name }) => name === toolName)
    if (isOrphan) tools.push({ name: toolName, input: {} })
    if (type === 'thought' || type === 'tool_call') isOpen = false
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
