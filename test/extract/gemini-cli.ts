import type { ExtractFrom } from './extract.ts'

interface Line {
  readonly type?: string
  readonly role?: string
  readonly content?: string
  readonly delta?: boolean
  readonly tool_name?: string
  readonly parameters?: unknown
}

export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const tools: { name: string; input: unknown }[] = []
  let isContinued = false
  for (const line of values as readonly Line[]) {
    if (line?.type === 'message' && line.content) {
      const isDelta = line.role === 'assistant' && line.delta === true
      text.push(isDelta && isContinued ? `${text.pop() ?? ''}${line.content}` : line.content)
      isContinued = isDelta
    } else if (line?.type === 'tool_use') {
      tools.push({ name: line.tool_name ?? '', input: line.parameters ?? {} })
      isContinued = false
    } else if (line?.type === 'tool_result' || line?.type === 'result') isContinued = false
  }
  return { text, reasoning: [], tools }
}
