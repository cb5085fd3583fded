import { fileUrl, type RunInput, USER_MESSAGE } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'

const { messageId, blockId } = USER_MESSAGE

/** A person's input as the message that directly follows `run-start`. */
export function userMessage({ text, files = [], toolOutputs = [] }: RunInput): readonly StreamEvent[] {
  if (text === '' && files.length === 0 && toolOutputs.length > 0) return []
  const block: readonly StreamEvent[] = [
    { type: 'block-start', blockId, kind: 'text', messageId },
    { type: 'block-delta', blockId, text, messageId },
    { type: 'block-end', blockId, messageId },
  ]
  return [
    { type: 'message-start', role: 'user', messageId },
    ...(text === '' ? [] : block),
    ...files.map(
      ({ id, ...file }): StreamEvent => ({ type: 'file', fileId: id, url: fileUrl(id), ...file, messageId }),
    ),
    { type: 'message-end', messageId },
  ]
}

const LONGEST_TITLE = 80

/** A thread's title: the first line of its first input. */
export function titleOf({ text }: RunInput): string {
  const [line = ''] = text.trim().split(/[\r\n]/)
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`
}
