import { createAgents } from './agent-event/agents.ts'
import { blockRows } from './agent-event/blocks.ts'
import type { OpenCalls } from './agent-event/calls.ts'
import { endingOf } from './agent-event/ending.ts'
import { noteRows } from './agent-event/notes.ts'
import { createRoles } from './agent-event/roles.ts'
import { createStream } from './agent-event/stream.ts'
import { toolRows } from './agent-event/tools.ts'
import { createVoice } from './agent-event/voice.ts'
import { byRows, type Rows } from './rows.ts'
import type { Wire, WireOptions, WireState } from './wire.ts'

/**
 * AgentEvents: seven types and nothing else. What they cannot say stands under `millrace`, in the chunk that comes
 * next; a client that does not know the key sees the protocol as it always was.
 */
export const agentEvent: Wire = {
  losses: {
    messages: 'There is one bubble; where a message begins and ends is told under `millrace`.',
    'other-roles': 'The client holds what people said, and would show it as the answer; it is told under `millrace`.',
    retract: 'What was said stays; which messages are void is told under `millrace`.',
    rewrite: 'Text can only be appended to; what it should read is told under `millrace`.',
    'tool-input-stream': 'Arguments are said once, when they are whole.',
  },
  profiles: ['deltas'],
  headers: {},
  create,
}

function create({ runId, profile }: WireOptions): WireState {
  const calls: OpenCalls = new Map()
  const stream = createStream(runId)
  const agents = createAgents(stream, calls)
  const voice = createVoice(stream, agents)
  const roles = createRoles()
  const ride = stream.riders.add
  const table: Rows = {
    'run-start': ride,
    'run-end'(event) {
      agents.close()
      const { words, marks } = endingOf(event)
      voice.say(event, words, undefined, marks)
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
    ...blockRows(stream, voice, roles, profile !== 'deltas'),
    ...toolRows(stream, voice, roles, calls),
    source: ride,
    file: ride,
    ...agents.rows,
    ...noteRows(stream, voice, roles),
    usage: ride,
    state: ride,
    data: ride,
    metadata: ride,
    control: ride,
    raw: ride,
  }
  const tell = byRows(table)
  return {
    push({ event }) {
      tell(event)
      return stream.take()
    },
  }
}
