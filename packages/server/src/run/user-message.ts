import { fileUrl, type InputFile, type RunInput, USER_MESSAGE } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import type { SteerCommand } from './steering.ts'

interface MessageIds {
  readonly messageId: string
  readonly blockId: string
  readonly clientId?: string
}

/** A person's input as the message that directly follows `run-start`. */
export function userMessage({ text, files = [], toolOutputs = [], clientId }: RunInput): readonly StreamEvent[] {
  if (text === '' && files.length === 0 && toolOutputs.length > 0) return []
  return message({ ...USER_MESSAGE, ...(clientId !== undefined && { clientId }) }, text, files)
}

/** What a person says while the agent runs, when the agent takes it. */
export const steeringMessage = ({ messageId, text, files = [] }: SteerCommand): readonly StreamEvent[] =>
  message({ messageId, blockId: `${messageId}-text` }, text, files)

function message(
  { messageId, blockId, clientId }: MessageIds,
  text: string,
  files: readonly InputFile[],
): readonly StreamEvent[] {
  const block: readonly StreamEvent[] = [
    { type: 'block-start', blockId, kind: 'text', messageId },
    { type: 'block-delta', blockId, text, messageId },
    { type: 'block-end', blockId, messageId },
  ]
  return [
    {
      type: 'message-start',
      role: 'user',
      messageId,
      ...(clientId !== undefined && { meta: { millrace: { clientId } } }),
    },
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
