import { createUsageTotal } from '../meaning/usage-total.ts'
import { createAnswer } from './ds-agent/answer.ts'
import { blockRows, type Tellers } from './ds-agent/blocks.ts'
import { withLegacyName } from './ds-agent/legacy-names.ts'
import { createOthers } from './ds-agent/others.ts'
import { createOutbox } from './ds-agent/outbox.ts'
import { runEnd } from './ds-agent/run.ts'
import { createSpeakers } from './ds-agent/speakers.ts'
import { createSteps } from './ds-agent/steps.ts'
import { cumulative, incremental } from './ds-agent/stream.ts'
import { createTools } from './ds-agent/tools.ts'
import { byRows, type Rows } from './rows.ts'
import type { Chunk, Wire, WireOptions, WireState } from './wire.ts'

/** The messages of a research agent's steps, each with the pane that it belongs to, for a WebSocket. */
export const dsAgent: Wire = {
  losses: {
    retract: 'A message that was sent stays; which are void is told beside.',
    'tool-input-stream': 'A call is told once its input is whole.',
  },
  /**
   * `cumulative` is for clients that put the text of a delta in the place of what they had; `legacy-names` for those of
   * them that know observations as logs.
   */
  profiles: ['cumulative', 'legacy-names'],
  headers: {},
  socketMessage,
  create,
}

/** A message says where it stands, for the protocol has no place beside it. */
function socketMessage(chunk: Chunk, cursor: string): Chunk {
  return { ...chunk, metadata: { ...(chunk.metadata as object), cursor } }
}

function create(options: WireOptions): WireState {
  const outbox = createOutbox(options)
  const answer = createAnswer()
  const steps = createSteps(outbox, answer)
  const speakers = createSpeakers()
  const pacing = options.profile === undefined ? incremental : cumulative
  const tellers: Tellers = { outbox, steps, answer, speakers, pacing }
  const usage = createUsageTotal()
  const tools = createTools(tellers)
  const others = createOthers(tellers)
  const table: Rows = {
    'run-start': (event) => outbox.riders.add({ ...event, runId: options.runId }),
    'run-end': runEnd(tellers, tools, others, usage),
    'message-start'(event) {
      usage.nextStep(event.agentId)
      // Results of calls may stand in a message of their own, which the step of the calls goes on in.
      if (event.agentId === undefined && event.role === 'assistant') {
        steps.leave()
        answer.begin()
      }
      speakers.start(event)
      outbox.riders.add(event)
    },
    'message-end'(event) {
      speakers.end(event)
      if (event.interrupted || event.meta !== undefined) outbox.riders.add(event)
    },
    'step-start'(event) {
      usage.nextStep(event.agentId)
      if (event.agentId === undefined) steps.start(event)
      else outbox.riders.add(event)
    },
    'step-end'(event) {
      if (event.agentId === undefined) steps.end(event)
      else outbox.riders.add(event)
    },
    usage(event) {
      usage.add(event)
      if (event.agentId === undefined) steps.use(event)
    },
    ...blockRows(tellers),
    ...tools.rows,
    ...others.rows,
  }
  const tell = byRows(table)
  return {
    push(entry) {
      outbox.turn(entry)
      tell(entry.event)
      const chunks = outbox.take()
      return options.profile === 'legacy-names' ? chunks.map(withLegacyName) : chunks
    },
  }
}
