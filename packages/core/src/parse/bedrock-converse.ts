import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { impliedBlock, openBlock, readDelta, readWhole } from './bedrock-converse/blocks.ts'
import { addDetails, keep, metadata } from './bedrock-converse/details.ts'
import { recognize, unwrap } from './bedrock-converse/envelope.ts'
import type { Details, EventName, Failure, RawEvents, WholeResponse } from './bedrock-converse/raw.ts'
import {
  addEnd,
  adoptLingering,
  closeAll,
  endResponse,
  idOf,
  interventions,
  newResponse,
  type Response,
  setBlock,
  stopBlock,
  trackCalls,
} from './bedrock-converse/response.ts'
import { createCallNames } from './kit/call-names.ts'
import { cutCalls } from './kit/cut-calls.ts'
import { isEmpty } from './kit/keep.ts'
import type { Out } from './kit/voice.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Amazon Bedrock's Converse, streamed or whole. One stream may hold several responses: the turns of an agent's loop. */
export const bedrockConverse: Parser = {
  version: 4,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message that has begun stays.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'agent-tool-output': 'The results of tools that the agent runs go into the next request.',
    'tool-nesting': 'No call names another.',
    approvals: 'The program that runs the tools asks for approval.',
    'subagent-content': 'The content of a subagent is in responses of its own.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    data: 'Every record maps to another event.',
    control: 'User input goes into the next request.',
    times: 'No record carries a time.',
  },
  recognize,
  create,
}

/** Returns false if it does not understand the record. */
type Row<Body> = (out: Out, body: Body, envelope?: object) => unknown

function create(): ParserState {
  const names = createCallNames()
  let count = 0
  let response = newResponse(0)
  let hasFailed = false

  /** The response of new content, whose start may not have been sent. It is new until it is committed. */
  function enter(out: Out): Response {
    return response.isOpen && !response.hasStopped ? response : next(out)
  }

  function next(out: Out): Response {
    const following = newResponse(count + 1)
    const { messageId } = following
    if (count === 0) out.push({ type: 'run-start' })
    else addEnd(out, response)
    out.push({ type: 'message-start', messageId, role: 'assistant' }, { type: 'step-start', kind: 'model' })
    return following
  }

  function commit(entered: Response): void {
    if (entered === response) return
    response = entered
    count++
    hasFailed = false
  }

  const rows: { readonly [Name in EventName]: Row<RawEvents[Name]> } = {
    messageStart: (out) => commit(next(out)),
    contentBlockStart(out, { contentBlockIndex: index, start }) {
      // The start of prose has no fields.
      if (typeof index === 'number' && isEmpty(present(start ?? {}))) return true
      const started: Out = []
      const entered = enter(out)
      const block = openBlock(started, start ?? {}, idOf(entered, index), names)
      if (block === undefined) return false
      commit(entered)
      return setBlock(out, entered, index, block, started)
    },
    contentBlockDelta(out, { contentBlockIndex: index, delta }) {
      const entered = enter(out)
      const open = entered.blocks.get(index) ?? adoptLingering(entered, index, delta)
      if (open !== undefined && readDelta(out, delta, open)) return true
      const started: Out = []
      const block = impliedBlock(started, delta, idOf(entered, index))
      if (block === undefined || !readDelta(started, delta, block)) return false
      commit(entered)
      return setBlock(out, entered, index, block, started)
    },
    contentBlockStop(out, { contentBlockIndex: index }) {
      const block = response.blocks.get(index)
      if (block !== undefined) stopBlock(out, response, index, block)
      return block !== undefined
    },
    messageStop(out, { stopReason, additionalModelResponseFields }) {
      const entered = response.hasStopped ? response : enter(out)
      commit(entered)
      entered.hasStopped = true
      entered.stopReason = stopReason ?? undefined
      closeAll(out, entered)
      out.push(...metadata({ additionalModelResponseFields }))
      const message = interventions.get(stopReason ?? '')
      if (message !== undefined) out.push({ type: 'status', message, level: 'warn' })
      if (entered.hasDetails) endResponse(out, entered)
    },
    metadata(out, body, envelope = {}) {
      const { metadata: _metadata, type: _type, event: _event, ...otherFields } = envelope as Details
      addDetails(out, { ...otherFields, ...body })
      response.hasDetails = true
      if (response.hasStopped) endResponse(out, response)
      return out.length > 0 || Boolean(body.usage || body.metrics)
    },
  }

  function fail(code: string, body: Failure): StreamEvent[] {
    const { originalMessage, originalStatusCode } = body
    const message = String(body.message ?? body.Message ?? originalMessage)
    const other = originalMessage === message ? undefined : originalMessage
    const meta = keep({ originalMessage: other, originalStatusCode })
    hasFailed = true
    return [{ type: 'run-end', outcome: 'error', error: { message, code }, ...meta }]
  }

  function readResponse(out: Out, whole: WholeResponse): void {
    const { output, stopReason, additionalModelResponseFields, ...details } = whole
    const entered = next(out)
    for (const [index, block] of output.message.content.entries()) readWhole(out, block, idOf(entered, index), names)
    trackCalls(entered, out)
    addDetails(out, details)
    commit(entered)
    entered.hasDetails = true
    rows.messageStop(out, present({ stopReason, additionalModelResponseFields }))
  }

  return {
    push(value, record) {
      const named = unwrap(value, record.name)
      if (named === undefined) return unmapped(value)
      if (named.failure !== undefined) return fail(named.failure, named.body as Failure)
      const out: Out = []
      if (named.name === 'response') {
        readResponse(out, named.body as WholeResponse)
        return out
      }
      const row = rows[named.name as EventName] as Row<unknown>
      return row(out, named.body, named.envelope) === false ? unmapped(value) : understood(out)
    },
    end() {
      const { hasStopped, stopReason: reason, calls } = response
      if (!hasStopped || hasFailed) return []
      const out: Out = []
      endResponse(out, response)
      out.push(...cutCalls(reason === 'tool_use' ? [] : calls))
      out.push({ type: 'run-end', outcome: 'success', ...present({ reason }) })
      return out
    },
  }
}
