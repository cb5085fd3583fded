import { createAgents } from './agent-event/agents.ts'
import { blockRows } from './agent-event/blocks.ts'
import { createEmitter } from './agent-event/emitter.ts'
import { endingOf } from './agent-event/ending.ts'
import { noteRows } from './agent-event/notes.ts'
import { createRoles } from './agent-event/roles.ts'
import { createStream } from './agent-event/stream.ts'
import { strictLosses, strictly } from './agent-event/strict.ts'
import type { OpenCalls } from './agent-event/tool-events.ts'
import { toolRows } from './agent-event/tools.ts'
import { createDispatch, type Rows } from './rows.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/**
 * AgentEvents: seven types and nothing else. Events that they cannot express travel under `millrace` in the next chunk;
 * a client that does not know the key sees only the protocol.
 */
export const agentEvent: Wire = {
  losses: {
    messages: 'The client shows one bubble; where a message begins and ends is only under `millrace`.',
    'other-roles':
      'The client has the messages of people and would show them as the answer; they are only under `millrace`.',
    retract: 'Text that was sent stays; the messages that are void are named under `millrace`.',
    rewrite: 'Text that was sent can only be appended to; the corrected text is under `millrace`.',
    'tool-input-stream': 'Arguments are sent once, when they are complete.',
  },
  /** `deltas`: thoughts piece by piece. `strict`: the fields of the protocol and no other. */
  profiles: ['deltas', 'strict'],
  profileLosses: { strict: strictLosses },
  headers: {},
  create,
}

function create({ runId, profile }: WireOptions): WireState {
  const calls: OpenCalls = new Map()
  const stream = createStream(runId)
  const agents = createAgents(stream, calls)
  const emitter = createEmitter(stream, agents)
  const roles = createRoles()
  const ride = stream.riders.add
  const table: Rows = {
    'run-start': ride,
    'run-end'(event) {
      agents.closeAll()
      const { chunk, extra } = endingOf(event)
      emitter.emit(event, chunk, undefined, extra)
    },
    'message-start'(event) {
      roles.start(event)
      ride(event)
    },
    'message-end'(event) {
      roles.end(event)
      ride(event)
    },
    'message-retract': ride,
    'step-start': ride,
    'step-end': ride,
    ...blockRows(stream, emitter, roles, profile !== 'deltas'),
    ...toolRows(stream, emitter, roles, calls),
    source: ride,
    file: ride,
    ...agents.rows,
    ...noteRows(stream, emitter, roles),
    usage: ride,
    state: ride,
    data: ride,
    metadata: ride,
    control: ride,
    raw: ride,
  }
  const dispatch = createDispatch(table)
  return {
    push({ event }) {
      dispatch(event)
      return profile === 'strict' ? strictly(stream.take()) : stream.take()
    },
  }
}
