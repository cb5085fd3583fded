import type { Entry } from '@millrace/core/entry'

interface Piece {
  type: string
  id: string
  text: string
  state: string
  input?: unknown
  output?: unknown
}

/** The least that a fold can do: a switch and an append, nothing shared, nothing timed. The floor of rows 1 and 8. */
export function handFold(lines: readonly string[]): { messages: Piece[][] } {
  const messages: Piece[][] = []
  const pieces = new Map<string, Piece>()
  let message: Piece[] = []
  const add = (id: string, type: string) => {
    const piece = { type, id, text: '', state: 'live' }
    pieces.set(id, piece)
    message.push(piece)
  }
  for (const line of lines) {
    const { event } = JSON.parse(line) as Entry
    switch (event.type) {
      case 'message-start':
        message = []
        messages.push(message)
        break
      case 'block-start':
        add(event.blockId, event.kind)
        break
      case 'tool-start':
        add(event.callId, event.name)
        break
      case 'block-delta': {
        const piece = pieces.get(event.blockId)
        if (piece) piece.text += event.text
        break
      }
      case 'tool-input-delta': {
        const piece = pieces.get(event.callId)
        if (piece) piece.text += event.text
        break
      }
      case 'block-end': {
        const piece = pieces.get(event.blockId)
        if (piece) piece.state = 'done'
        break
      }
      case 'tool-input': {
        const piece = pieces.get(event.callId)
        if (piece) piece.input = event.input
        break
      }
      case 'tool-output': {
        const piece = pieces.get(event.callId)
        if (piece) piece.output = event.output
        break
      }
      default:
        break
    }
  }
  return { messages }
}
