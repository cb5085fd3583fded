import type { InputFile, MessageNotes, RunMessage } from '@millrace/core/client'

/** A message to a run that nobody has taken. */
export interface PendingMessage {
  readonly messageId: string
  readonly runId: string
  readonly text: string
  readonly files?: readonly InputFile[]
  readonly delivered: 'now' | 'next'
  /** `sending`: the server has not stored it yet. `moved`: the next run begins with it. */
  readonly state: 'sending' | 'waiting' | 'moved' | 'dropped'
}

export interface PendingSources {
  readonly runId: string
  /** As the server has listed them. */
  readonly stored: readonly RunMessage[]
  /** As the run's entries tell: newer than the list. */
  readonly notes: MessageNotes | undefined
  /** What this page has sent. */
  readonly sent: readonly PendingMessage[]
}

/** What is shown above the composer. A message that the agent has taken is in the thread instead. */
export function pendingMessages({ runId, stored, notes, sent }: PendingSources): readonly PendingMessage[] {
  const listed = stored.flatMap(({ state, ...message }): PendingMessage[] => {
    if (state === 'taken' || state === 'taken-back') return []
    const note = notes?.get(message.messageId)
    // The list is older than the entry: the next list says whether it was taken back or dropped.
    if (note === 'taken' || (note === 'dropped' && state !== 'dropped')) return []
    return [{ ...message, runId, state }]
  })
  const isListed = (messageId: string) => stored.some((each) => each.messageId === messageId)
  const own = sent.filter((each) => each.runId === runId && !isListed(each.messageId))
  return [...listed, ...own.filter(({ messageId }) => (notes?.get(messageId) ?? 'waiting') === 'waiting')]
}
