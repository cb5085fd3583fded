import type { SteeredMessage } from '../api/message-types.ts'
import type { StreamEvent } from '../events.ts'
import type { Api, NewMessage } from './api.ts'
import { type PlatformOptions, platformOf } from './platform.ts'
import { retrying } from './retrying.ts'

/** The messages of persons to a run, by id, as far as its entries tell. Texts are not in the log before the agent takes them. */
export type MessageNotes = ReadonlyMap<string, 'waiting' | 'taken' | 'dropped'>

export interface MessageNoter {
  note(event: StreamEvent): void
  /** The same object until something has changed. */
  snapshot(): MessageNotes
}

export function createMessageNotes(): MessageNoter {
  let notes: MessageNotes = new Map()

  function put(messageId: string, state: 'waiting' | 'taken' | 'dropped'): void {
    notes = new Map(notes).set(messageId, state)
  }

  return {
    note(event) {
      const { messageId } = event
      if (messageId === undefined) return
      if (event.type === 'control' && event.action === 'steer') put(messageId, event.dropped ? 'dropped' : 'waiting')
      if (event.type === 'message-start' && notes.has(messageId)) put(messageId, 'taken')
    },
    snapshot: () => notes,
  }
}

/** Gives a message to a run that has not ended. A lost response is retried with the same id: the agent gets it once. */
export function sendMessage(
  api: Pick<Api, 'steer'>,
  runId: string,
  message: NewMessage,
  options: PlatformOptions = {},
): Promise<SteeredMessage> {
  return retrying(platformOf(options), () => api.steer(runId, message))
}
