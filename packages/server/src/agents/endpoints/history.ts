import type { ChatEvent, Segment, ToolSegment } from '@millrace/core/fold'

/** Files of earlier turns are named: what the service got then, it has. */
export const fileNames = (segments: readonly Segment[]): readonly string[] =>
  segments.flatMap((segment) =>
    segment.type === 'file' ? [`[file ${segment.filename ?? segment.fileId}, ${segment.mediaType}]`] : [],
  )

/** The id of a message as its service knows it. Ids that were minted are unique within their run only. */
export function messageIdOf({ id, runId }: ChatEvent): string {
  const own = id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : id
  return /^m\d+$|^input/.test(own) ? id : own
}

/** Messages that a service is told of: what it took back is none. */
export const messagesIn = (chatEvents: readonly ChatEvent[]): readonly ChatEvent[] =>
  chatEvents.filter(({ role, state }) => state !== 'retracted' && (role === 'user' || role === 'assistant'))

/** Why a call that is over has no output. */
export const failureOf = ({ error, state }: ToolSegment): string | undefined => {
  if (state === 'failed') return error ?? 'The call failed.'
  if (state === 'denied') return error ?? 'A person has denied the call.'
  return state === 'cancelled' ? 'The call was interrupted.' : undefined
}
