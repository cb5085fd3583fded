import type { Common } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { Fields } from '../chunk-fields.ts'
import type { Agents } from './agents.ts'
import { type ChunkDetails, insteadOf, type Stream } from './stream.ts'
import { type AgentEvent, adaptToolEvent } from './tool-events.ts'

/** Emits events as chunks of the protocol: those of the main agent directly, a subagent's as progress of its call. */
export interface Emitter {
  /** The chunk expresses the event, together with the scope and the extra fields. */
  emit(event: Common, chunk: AgentEvent, ids?: Ids, extra?: Fields): void
  /** The chunk only shows the event to people; readers use the event itself, which travels with it. */
  emitForDisplay(event: StreamEvent, chunk: AgentEvent, ids?: Ids): void
  /** The same for several events of the agent that has said the last of them. */
  emitInstead(events: readonly StreamEvent[], scope: Common, chunk: AgentEvent): void
}

type Ids = Pick<ChunkDetails, 'callId' | 'parentCallId'>

const NO_IDS: Ids = {}

export function createEmitter(stream: Stream, agents: Agents): Emitter {
  function emitFrom(
    agentId: string | undefined,
    chunk: AgentEvent,
    ids: Ids,
    extra: Fields | undefined,
    at?: number,
  ): void {
    if (agentId === undefined) {
      stream.emit(chunk, { callId: ids.callId, parentCallId: ids.parentCallId, at, extra })
      return
    }
    const { callId, toolName } = agents.hostOf(agentId)
    const progressEvent = adaptToolEvent({ type: 'progress', toolName, data: dataOf(chunk, ids) })
    stream.emit(progressEvent, { callId, parentCallId: undefined, at, extra })
  }

  return {
    emit(event, chunk, ids = NO_IDS, extra) {
      const { agentId, messageId, meta, sentAt } = event
      const isPlain = agentId === undefined && messageId === undefined && meta === undefined
      emitFrom(agentId, chunk, ids, isPlain ? extra : { agentId, messageId, meta, ...extra }, sentAt)
    },
    emitForDisplay(event, chunk, ids = NO_IDS) {
      emitFrom(event.agentId, chunk, ids, insteadOf(event))
    },
    emitInstead: (events, { agentId }, chunk) => emitFrom(agentId, chunk, NO_IDS, insteadOf(...events)),
  }
}

/** A subagent's text is the data itself; any other chunk keeps its type as the subtype. */
function dataOf(chunk: AgentEvent, ids: Ids): unknown {
  const { type: subtype, ...fields } = chunk
  const isText = chunk.type === 'stream' && Object.keys(fields).length === 1
  return isText ? chunk.content : { subtype, ...fields, ...ids }
}

interface Owned {
  readonly agentId: string | undefined
}

/** The event as one of the agent that owns its call or block, whichever agent the event names. */
export function withAgentOf<Event extends StreamEvent>(event: Event, { agentId }: Owned): Event {
  if (event.agentId === agentId) return event
  const { agentId: _other, ...rest } = event
  return { ...rest, ...(agentId !== undefined && { agentId }) } as Event
}
