import type { StreamEvent } from '@millrace/core/events'
import type { AgentInput } from './agent.ts'

const MESSAGE = 'input-1'
const BLOCK = 'input-1-text'

/** What a person asked, as the message that stands directly after `run-start`. */
export function userMessage({ text, files = [], toolOutputs = [] }: AgentInput): readonly StreamEvent[] {
  if (text === '' && files.length === 0 && toolOutputs.length > 0) return []
  const place = { messageId: MESSAGE }
  const block: readonly StreamEvent[] = [
    { type: 'block-start', blockId: BLOCK, kind: 'text', ...place },
    { type: 'block-delta', blockId: BLOCK, text, ...place },
    { type: 'block-end', blockId: BLOCK, ...place },
  ]
  return [
    { type: 'message-start', role: 'user', ...place },
    ...(text === '' ? [] : block),
    ...files.map(({ id, ...file }): StreamEvent => ({ type: 'file', fileId: id, url: fileUrl(id), ...file, ...place })),
    { type: 'message-end', ...place },
  ]
}

const LONGEST_TITLE = 80

/** A thread's title, from the first thing that was asked in it. */
export function titleOf({ text }: AgentInput): string {
  const [line = ''] = text.trim().split(/[\r\n]/)
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`
}

function fileUrl(fileId: string): string {
  return `/api/files/${encodeURIComponent(fileId)}`
}
