import type { Message } from '@ag-ui/client'
import type { Piece } from '../contract.ts'

/** What messages of the protocol hold. A failed call has only its result. */
export function piecesOf(messages: readonly Message[]): readonly Piece[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content] as const] : [])),
  )
  return messages.flatMap((message): readonly Piece[] => {
    if (message.role === 'user') return [{ type: 'user', text: String(message.content) }]
    if (message.role === 'reasoning') return [{ type: 'reasoning', text: message.content }]
    if (message.role !== 'assistant') return []
    const text = typeof message.content === 'string' ? [{ type: 'text' as const, text: message.content }] : []
    const calls = (message.toolCalls ?? []).map(({ id, function: { name, arguments: input } }): Piece => {
      const result = results.get(id)
      const end = result === undefined ? { state: 'open' as const } : { state: 'done' as const, output: jsonIn(result) }
      return { type: 'tool', name, input: jsonIn(input), ...end }
    })
    return [...text, ...calls]
  })
}

function jsonIn(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return text
  }
}
