import { fileUrl, type InputFile, type RunInput, USER_MESSAGE } from '@millrace/core/api'
import type { StreamEvent } from '@millrace/core/events'
import type { JsonObject } from '@millrace/core/json'
import type { SteerCommand } from './steering.ts'

interface MessageIds {
  readonly messageId: string
  readonly blockId: string
}

/** A person's input as the message that directly follows `run-start`. */
export function userMessage(input: RunInput): readonly StreamEvent[] {
  const { text, files = [], client, clientId } = input
  if (hasOnlyOutputs(input)) return []
  return withClient(message(USER_MESSAGE, text, files), client, clientId)
}

/** Whether nobody says anything: the client only returns outputs of its tools. */
export const hasOnlyOutputs = ({ text, files = [], toolOutputs = [] }: RunInput): boolean =>
  text === '' && files.length === 0 && toolOutputs.length > 0

/** The message with what the client sent beside it, at its start. */
export function withClient(
  [start, ...rest]: readonly StreamEvent[],
  client: JsonObject | undefined,
  clientId?: string,
): readonly StreamEvent[] {
  const millrace = { ...(clientId !== undefined && { clientId }), ...(client !== undefined && { client }) }
  if (start === undefined || Object.keys(millrace).length === 0) return start === undefined ? rest : [start, ...rest]
  return [{ ...start, meta: { millrace } }, ...rest]
}

/** What a person says while the agent runs, when the agent takes it. */
export const steeringMessage = ({ messageId, text, files = [] }: SteerCommand): readonly StreamEvent[] =>
  message({ messageId, blockId: `${messageId}-text` }, text, files)

function message(
  { messageId, blockId }: MessageIds,
  text: string,
  files: readonly InputFile[],
): readonly StreamEvent[] {
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
