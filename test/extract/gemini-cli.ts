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
  let goesOn = false
  for (const line of values as readonly Line[]) {
    if (line?.type === 'message' && line.content) {
      const isPiece = line.role === 'assistant' && line.delta === true
      text.push(isPiece && goesOn ? `${text.pop() ?? ''}${line.content}` : line.content)
      goesOn = isPiece
    } else if (line?.type === 'tool_use') {
      tools.push({ name: line.tool_name ?? '', input: line.parameters ?? {} })
      goesOn = false
    } else if (line?.type === 'tool_result' || line?.type === 'result') goesOn = false
  }
  return { text, reasoning: [], tools }
}
