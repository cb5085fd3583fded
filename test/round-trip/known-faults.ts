import type { StreamEvent } from '@millrace/core/events'

/** A fault of a wire or of its parser that is not mended yet: runs with it are left out of the round trip of that wire. */
export interface KnownFault {
  readonly wire: string
  readonly fault: string
  isIn(events: readonly StreamEvent[]): boolean
}

export const knownFaults: readonly KnownFault[] = [
  {
    wire: 'ai-sdk',
    fault: 'A run that fails without an error comes back with one.',
    isIn: (events) => events.some((event) => event.type === 'run-end' && event.outcome === 'error' && !event.error),
  },
  {
    wire: 'ai-sdk',
    fault: 'The result of a run that awaits input is lost.',
    isIn: (events) =>
      events.some(
        (event) => event.type === 'run-end' && event.outcome === 'awaiting-input' && event.result !== undefined,
      ),
  },
  {
    wire: 'ai-sdk',
    fault: 'A request or an answer that is null is lost.',
    isIn: (events) =>
      events.some((event) => event.type === 'approval' && (event.request === null || event.answer === null)),
  },
  {
    wire: 'agent-event',
    fault: 'A thought is sent once, after its patches: the metadata of an earlier delta replaces that of a patch.',
    isIn: (events) =>
      events.some(
        (patch, at) =>
          patch.type === 'block-patch' &&
          patch.meta !== undefined &&
          events
            .slice(0, at)
            .some((delta) => delta.type === 'block-delta' && delta.blockId === patch.blockId && delta.meta),
      ),
  },
  {
    wire: 'ag-ui',
    fault: 'The result of a run that does not succeed is lost.',
    isIn: (events) =>
      events.some((event) => event.type === 'run-end' && event.outcome !== 'success' && event.result !== undefined),
  },
  {
    wire: 'event-segments',
    fault: 'The model of a message is lost if the message has no content.',
    isIn: (events) => events.some((event) => event.type === 'message-start' && event.model !== undefined),
  },
]
