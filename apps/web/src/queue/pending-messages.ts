import type { InputFile, MessageNotes, RunMessage } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'

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

/** The message that the run has read last while it ran: it stands in the thread, and its entry says where. */
export function lastSteered(runId: string, notes: MessageNotes | undefined, events: readonly ChatEvent[]) {
  const taken = [...(notes ?? [])]
    .filter(([, state]) => state === 'taken')
    .map(([messageId]) => `${runId}/${messageId}`)
  const event = events.findLast(({ id }) => taken.includes(id))
  if (event === undefined) return undefined
  const text = event.segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])).join(' ')
  return text === '' ? undefined : { text, seq: event.seqs[0] }
}
