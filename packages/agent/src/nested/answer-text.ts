import type { StreamEvent } from '@millrace/core/events'

/** The text that an agent itself says in a run, as it comes. */
export interface AnswerText {
  /** What the event adds; often nothing. All that was added is the whole text. */
  push(event: StreamEvent): string
  text(): string
}

/** Two texts with something in between, such as a call, are two paragraphs. */
const BETWEEN = '\n\n'

export function createAnswerText(): AnswerText {
  /** What has come of each open text. */
  const open = new Map<string, string>()
  let whole = ''
  let last: string | undefined

  function append(blockId: string, text: string): string {
    if (text === '') return ''
    const added = whole !== '' && last !== blockId ? `${BETWEEN}${text}` : text
    last = blockId
    whole += added
    open.set(blockId, `${open.get(blockId)}${text}`)
    return added
  }

  return {
    push(event) {
      if (event.agentId !== undefined) return ''
      if (event.type === 'block-start' && event.kind === 'text') open.set(event.blockId, '')
      if (event.type === 'block-delta' && open.has(event.blockId)) return append(event.blockId, event.text)
      if (event.type === 'block-end') open.delete(event.blockId)
      if (event.type !== 'block-patch' || event.text === undefined) return ''
      // What was said cannot be taken back: only a text that goes on is completed.
      const before = open.get(event.blockId)
      const goesOn = before !== undefined && event.text.startsWith(before)
      return goesOn ? append(event.blockId, event.text.slice(before.length)) : ''
    },
    text: () => whole,
  }
}
