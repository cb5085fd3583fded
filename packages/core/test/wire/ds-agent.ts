import type { StreamEvent } from '../../src/events.ts'
import type { JsonObject } from '../../src/json.ts'
import { createStamp } from '../../src/read/stamp.ts'
import { dsAgent } from '../../src/wire/ds-agent.ts'
import type { WireOptions } from '../../src/wire/wire.ts'

/** A message of the protocol. */
export interface Message {
  readonly role: string
  readonly content: string
  readonly metadata: JsonObject
  readonly message_id: string
  readonly timestamp: string
  readonly session_id: string
  readonly step_number: number | null
}

/** The messages of the events of a run that has started and has not ended. */
export function messagesOf(events: readonly StreamEvent[], options: Partial<WireOptions> = {}): readonly Message[] {
  const wireState = dsAgent.create({ runId: 'run', threadId: 'thread', ...options })
  const stamp = createStamp()
  const chunks = [{ type: 'run-start' } as const, ...events].flatMap((event) => wireState.push(stamp(event, 0)))
  return chunks as unknown as readonly Message[]
}

/** The types of the messages, in order. */
export function typesOf(messages: readonly Pick<Message, 'metadata'>[]): readonly unknown[] {
  return messages.map(({ metadata }) => metadata.message_type)
}

/** The events of a block. */
export function block(blockId: string, kind: 'text' | 'reasoning', ...texts: readonly string[]): StreamEvent[] {
  return [
    { type: 'block-start', blockId, kind },
    ...texts.map((text): StreamEvent => ({ type: 'block-delta', blockId, text })),
    { type: 'block-end', blockId },
  ]
}

/** The events of a call that succeeded. */
export function call(callId: string, name: string, input: JsonObject | string, output: string): StreamEvent[] {
  return [
    { type: 'tool-start', callId, name, runBy: 'agent' },
    { type: 'tool-input', callId, input },
    { type: 'tool-output', callId, status: 'ok', output },
  ]
}
