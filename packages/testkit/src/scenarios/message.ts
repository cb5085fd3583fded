import type { StreamEvent } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'

type Events = readonly StreamEvent[]

/** An assistant's message around these events. */
export function message(k: number, ...events: Events): Events {
  const messageId = `message-r${k}`
  return [{ type: 'message-start', messageId, role: 'assistant' }, ...events, { type: 'message-end', messageId }]
}

/** A whole block of text. */
export function textBlock(k: number, text: string, name = 'text'): Events {
  const blockId = `${name}-r${k}`
  return [
    { type: 'block-start', blockId, kind: 'text' },
    { type: 'block-delta', blockId, text },
    { type: 'block-end', blockId },
  ]
}

/** A call with its input, still without an output. */
export function called(callId: string, name = 'search', input: Json = { query: 'mill' }): Events {
  return [
    { type: 'tool-start', callId, name, runBy: 'agent' },
    { type: 'tool-input', callId, input },
  ]
}

export function finished(callId: string, output: Json = 'found'): StreamEvent {
  return { type: 'tool-output', callId, status: 'ok', output }
}
