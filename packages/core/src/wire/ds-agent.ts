import { createUsageTotal } from '../meaning/usage-total.ts'
import { createAnswerTracker } from './ds-agent/answer.ts'
import { blockRows, type RunContext } from './ds-agent/blocks.ts'
import { createDsAgentHistory } from './ds-agent/history.ts'
import { createOthers } from './ds-agent/others.ts'
import { createOutbox } from './ds-agent/outbox.ts'
import { createRoles } from './ds-agent/roles.ts'
import { runEnd } from './ds-agent/run.ts'
import { createSteps } from './ds-agent/steps.ts'
import { cumulative, incremental } from './ds-agent/stream.ts'
import { createTools } from './ds-agent/tools.ts'
import { createDispatch, type Rows } from './rows.ts'
import type { Chunk, Wire, WireOptions, WireState } from './wire.ts'

/** The messages of a research agent's steps, each with the pane that it belongs to, for a WebSocket. */
export const dsAgent: Wire = {
  losses: {
    retract: 'A message that was sent stays; the messages that are void are named under `millrace`.',
    'tool-input-stream': 'A call is sent once its input is complete.',
  },
  /**
   * `cumulative` is for clients that replace their text with the text of a delta; `legacy-names` for those of them that
   * know observations as logs.
   */
  profiles: ['cumulative', 'legacy-names'],
  headers: {},
  socketMessage,
  create,
  createHistory: createDsAgentHistory,
}

/** The cursor is in the message's metadata, because the protocol has no envelope around a message. */
function socketMessage(chunk: Chunk, cursor: string): Chunk {
  return { ...chunk, metadata: { ...(chunk.metadata as object), cursor } }
}

function create(options: WireOptions): WireState {
  const outbox = createOutbox(options)
  const answer = createAnswerTracker()
  const steps = createSteps(outbox, answer)
  const roles = createRoles()
  const pacing = options.profile === undefined ? incremental : cumulative
  const context: RunContext = { outbox, steps, answer, roles, pacing }
  const usage = createUsageTotal()
  const tools = createTools(context)
  const others = createOthers(context)
  const table: Rows = {
    'run-start': (event) => outbox.riders.add({ ...event, runId: options.runId }),
    'run-end': runEnd(context, tools, others, usage),
    'message-start'(event) {
      usage.nextStep(event.agentId)
      // Results of calls may be in a separate message, which continues the step of the calls.
      if (event.agentId === undefined && event.role === 'assistant') {
        steps.leave()
        answer.otherBegan()
      }
      roles.start(event)
      outbox.riders.add(event)
    },
    'message-end'(event) {
      roles.end(event)
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
      if (event.agentId === undefined) steps.addUsage(event)
    },
    ...blockRows(context),
    ...tools.rows,
    ...others.rows,
  }
  const dispatch = createDispatch(table)
  return {
    push(entry) {
      outbox.beginEntry(entry)
      dispatch(entry.event)
      const chunks = outbox.take()
      return options.profile === 'legacy-names' ? chunks.map(withLegacyName) : chunks
    },
  }
}

/** A message for older clients, which call the output of a tool its logs. */
function withLegacyName(chunk: Chunk): Chunk {
  const metadata = chunk.metadata as { readonly message_type: string }
  if (metadata.message_type !== 'observation') return chunk
  return { ...chunk, metadata: { ...metadata, message_type: 'execution_logs' } }
}
