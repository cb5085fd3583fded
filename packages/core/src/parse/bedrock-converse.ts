import { present } from '../data/present.ts'
import type { StreamEvent } from '../events.ts'
import { createCallNames } from './anthropic-messages/call-names.ts'
import { impliedBlock, openBlock } from './bedrock-converse/blocks.ts'
import { deltaEvents } from './bedrock-converse/deltas.ts'
import { detailEvents, keep, metadata } from './bedrock-converse/details.ts'
import { unwrap } from './bedrock-converse/envelope.ts'
import type { Details, EventName, Failure, RawEvents, WholeResponse } from './bedrock-converse/raw.ts'
import { recognize } from './bedrock-converse/recognize.ts'
import {
  adoptLingering,
  closeAll,
  endOf,
  endResponse,
  idOf,
  intervention,
  isEmptyStart,
  newResponse,
  type Response,
  setBlock,
  stopBlock,
  trackCall,
} from './bedrock-converse/response.ts'
import { wholeBlock } from './bedrock-converse/whole.ts'
import { type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** Amazon Bedrock's Converse, streamed or whole. One stream may hold several responses: the turns of an agent's loop. */
export const bedrockConverse: Parser = {
  version: 3,
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

/** Returns undefined if the record is not understood. */
type Row<Body> = (body: Body, envelope?: object) => readonly StreamEvent[] | undefined

/** A response, and the events of its start if it is new. */
interface Current {
  readonly response: Response
  readonly events: readonly StreamEvent[]
}

function create(): ParserState {
  let count = 0
  let response = newResponse(0)
  let hasFailed = false
  const names = createCallNames()

  /** The response of new content. Its start may not have been sent. */
  function current(): Current {
    return response.isOpen && !response.hasStopped ? { response, events: [] } : nextResponse()
  }

  function nextResponse(): Current {
    const next = newResponse(count + 1)
    const events: StreamEvent[] = [
      ...(count === 0 ? [{ type: 'run-start' as const }] : endOf(response)),
      { type: 'message-start', messageId: next.messageId, role: 'assistant' },
      { type: 'step-start', kind: 'model' },
    ]
    return { response: next, events }
  }

  function commit(next: Response): void {
    if (next === response) return
    response = next
    count++
    hasFailed = false
  }

  const rows: { readonly [Name in EventName]: Row<RawEvents[Name]> } = {
    messageStart() {
      const { response: next, events } = nextResponse()
      commit(next)
      return events
    },
    contentBlockStart({ contentBlockIndex: index, start }) {
      const { response: next, events } = current()
      const opened = openBlock(start ?? {}, idOf(next, index), names)
      if (opened === undefined) return isEmptyStart(start) ? SILENT : undefined
      commit(next)
      return understood([...events, ...setBlock(next, index, opened)])
    },
    contentBlockDelta({ contentBlockIndex: index, delta }) {
      const { response: next, events } = current()
      const block = next.blocks.get(index) ?? adoptLingering(next, index, delta)
      const more = block === undefined ? undefined : deltaEvents(delta, block)
      if (more !== undefined) return more
      const opened = impliedBlock(delta, idOf(next, index))
      const first = opened === undefined ? undefined : deltaEvents(delta, opened.block)
      if (opened === undefined || first === undefined) return undefined
      commit(next)
      return understood([...events, ...setBlock(next, index, opened), ...first])
    },
    contentBlockStop({ contentBlockIndex: index }) {
      const block = response.blocks.get(index)
      return block === undefined ? undefined : understood(stopBlock(response, index, block))
    },
    messageStop({ stopReason, additionalModelResponseFields }) {
      const { response: next, events } = response.hasStopped ? { response, events: [] } : current()
      commit(next)
      next.hasStopped = true
      next.stopReason = stopReason ?? undefined
      return understood([
        ...events,
        ...closeAll(next),
        ...metadata({ additionalModelResponseFields }),
        ...intervention(stopReason),
        ...(next.hasDetails ? endResponse(next) : []),
      ])
    },
    metadata(body, envelope = {}) {
      const { metadata: _metadata, type: _type, event: _event, ...otherFields } = envelope as Details
      const events = detailEvents({ ...otherFields, ...body })
      response.hasDetails = true
      const all = response.hasStopped ? [...events, ...endResponse(response)] : events
      return body.usage || body.metrics ? understood(all) : all
    },
  }

  function fail(name: string, body: Failure): readonly StreamEvent[] {
    const { originalMessage, originalStatusCode } = body
    const message = String(body.message ?? body.Message ?? originalMessage)
    hasFailed = true
    return [
      {
        type: 'run-end',
        outcome: 'error',
        error: { message, code: name },
        ...keep({
          originalMessage: originalMessage === message ? undefined : (originalMessage ?? undefined),
          originalStatusCode: originalStatusCode ?? undefined,
        }),
      },
    ]
  }

  function readWhole({ output, stopReason, additionalModelResponseFields, ...details }: WholeResponse) {
    const { response: next, events } = nextResponse()
    const content = output.message.content.flatMap((block, index) => wholeBlock(block, idOf(next, index), names))
    const fromDetails = detailEvents(details)
    commit(next)
    for (const event of content) trackCall(next, event)
    next.hasDetails = true
    const stopped = rows.messageStop(present({ stopReason, additionalModelResponseFields }))
    return [...events, ...content, ...fromDetails, ...(stopped ?? [])]
  }

  return {
    push(value, record) {
      const named = unwrap(value, record.name)
      if (named === undefined) return unmapped(value)
      if (named.failure !== undefined) return fail(named.failure, named.body as Failure)
      if (named.name === 'response') return readWhole(named.body as WholeResponse)
      const row = rows[named.name as EventName] as Row<unknown>
      return row(named.body, named.envelope) ?? unmapped(value)
    },
    end() {
      const { hasStopped, stopReason: reason, unanswered } = response
      if (!hasStopped || hasFailed) return []
      const outcome = unanswered.size > 0 && reason === 'tool_use' ? 'awaiting-input' : 'success'
      return [...endResponse(response), { type: 'run-end', outcome, ...present({ reason }) }]
    },
  }
}
