import { present } from '../data/present.ts'
import { isJsonObject, isText, type Json } from '../json.ts'
import { closeBlock, deltas, impliedBlocks, type OpenBlock, openBlock } from './anthropic-messages/blocks.ts'
import { changesDetail, detailsOf, keep, mergeUsage, usageEvents } from './anthropic-messages/details.ts'
import type { Block, Details, RawEvent, RawMessage, RawUsage } from './anthropic-messages/raw.ts'
import { isToolResult } from './anthropic-messages/results.ts'
import { type CallNames, createCallNames } from './kit/call-names.ts'
import { cutCalls } from './kit/cut-calls.ts'
import { keepRaw, metadata } from './kit/keep.ts'
import { namesIn, type Rows, readRow } from './kit/rows.ts'
import { bySigns, type Sign, sign } from './kit/signs.ts'
import { createUniqueIds } from './kit/unique-ids.ts'
import type { Out } from './kit/voice.ts'
import type { Parser, ParserState } from './parser.ts'

const hasIndex: Sign['fits'] = ({ index }) => typeof index === 'number'

/** Other formats use `error` and `ping` too. */
const recognizeEvent = bySigns(
  {
    message_start: sign(1, ({ message }) => isJsonObject(message)),
    content_block_start: sign(0.95, (value) => hasIndex(value) && isJsonObject(value.content_block)),
    content_block_delta: sign(0.95, (value) => hasIndex(value) && isJsonObject(value.delta)),
    content_block_stop: sign(0.95, hasIndex),
    message_delta: sign(0.9, ({ delta, usage }) => isJsonObject(delta) || isJsonObject(usage)),
    message_stop: sign(0.9),
    message: sign(
      0.95,
      ({ role, content, stop_reason }) => role === 'assistant' && Array.isArray(content) && stop_reason !== undefined,
    ),
    ping: sign(0.3),
    error: sign(0.3, ({ error }) => isText(isJsonObject(error) ? (error.message ?? error.type) : error)),
  },
  (type) => `a record is an Anthropic ${type}`,
  ({ type, data }) => (isJsonObject(data) ? undefined : type),
)

/** Anthropic Messages, streamed or whole. One stream may hold several messages: the turns of an agent's loop. */
export const anthropicMessages: Parser = {
  version: 3,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message that has begun stays.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'agent-tool-output': 'The results of tools that the agent runs go into the next request.',
    approvals: 'The program that runs the tools asks for approval.',
    'subagent-content': 'The content of a subagent is in responses of its own.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'User input goes into the next request.',
    errors: 'Every error ends the stream.',
    times: 'No record carries a time.',
  },
  recognize: recognizeEvent,
  create: () => createMessages(createCallNames()),
}

type OpenMessage = ReturnType<typeof newMessage>

/**
 * The message being read. Indices count from 0 in each message, so its blocks are kept with it. `prefix` begins the ids
 * of its blocks: it is its own id, made unique if the run has that id twice.
 */
function newMessage(messageId: string, prefix: string, isOpen: boolean) {
  return {
    messageId,
    prefix,
    isOpen,
    blocks: new Map<number, OpenBlock>(),
    /** The calls that the client runs. */
    calls: new Set<string>(),
    usage: {} as RawUsage,
    stopReason: undefined as string | undefined,
    /** The container in which the provider's code ran: the next request must name it. */
    container: undefined as Json | undefined,
  }
}

export function createMessages(names: CallNames): ParserState {
  const ids = createUniqueIds()
  let count = 0
  let message = newMessage('message-0', 'message-0', false)
  let ending: 'none' | 'stopped' | 'failed' = 'none'

  function begin(out: Out, raw: RawMessage): void {
    const messageId = raw.id ?? `message-${count + 1}`
    const next = newMessage(messageId, ids.claim(messageId), true)
    const model = present({ model: raw.model })
    if (count === 0) out.push({ type: 'run-start', ...model })
    else addEnd(out, message)
    out.push({ type: 'message-start', messageId, role: 'assistant', ...model }, { type: 'step-start', kind: 'model' })
    readDetails(out, next, raw, raw.usage)
    for (const [index, block] of (raw.content ?? []).entries()) {
      closeBlock(out, startBlock(out, next, index, block, block))
      next.blocks.delete(index)
    }
    count += 1
    message = next
    ending = 'none'
  }

  function stop(out: Out): void {
    addEnd(out, message)
    message.isOpen = false
    if (ending !== 'failed') ending = 'stopped'
  }

  function startBlock(out: Out, owner: OpenMessage, index: number, raw: Block, record: unknown): OpenBlock {
    if (typeof index !== 'number') throw new TypeError('A block has no index.')
    const block = openBlock(out, named(raw), `${owner.prefix}:${index}`, record)
    owner.blocks.set(index, block)
    if (raw.type === 'tool_use') owner.calls.add(block.id)
    return block
  }

  /** The block with the id that its call has in the run. */
  function named(raw: Block): Block {
    if (isToolResult(raw)) return { ...raw, tool_use_id: names.answer(raw.tool_use_id) } as Block
    return raw.type.endsWith('tool_use') && 'id' in raw && typeof raw.id === 'string'
      ? { ...raw, id: names.start(raw.id) }
      : raw
  }

  const rows: Rows<RawEvent> = {
    message_start: (out, { message: raw }) => begin(out, raw),
    content_block_start: (out, raw) => void startBlock(out, message, raw.index, raw.content_block, raw),
    content_block_delta(out, raw) {
      const { index, delta } = raw
      const row = deltas.get(delta.type)
      const implied = row && impliedBlocks[delta.type]
      const block = message.blocks.get(index) ?? (implied && startBlock(out, message, index, implied, raw))
      if (row === undefined || block === undefined || !row(out, delta, block)) keepRaw(out, raw)
    },
    content_block_stop(out, raw) {
      const block = message.blocks.get(raw.index)
      message.blocks.delete(raw.index)
      if (block === undefined) keepRaw(out, raw)
      else closeBlock(out, block)
    },
    message_delta(out, { delta, usage, type: _, ...otherFields }) {
      readDetails(out, message, { ...otherFields, ...present(delta ?? {}) }, usage)
      if (out.length === 0 && !changesDetail({ ...otherFields, ...delta }))
        throw new TypeError('A change changes nothing.')
    },
    message_stop(out, { type: _, ...metrics }) {
      out.push(...metadata(metrics))
      stop(out)
    },
    ping: () => {},
    error(out, { error, request_id }) {
      const { type: code, message: errorMessage } =
        typeof error === 'string' ? { type: undefined, message: error } : (error ?? {})
      const runError = { message: errorMessage || 'An error occurred', ...present({ code }) }
      ending = 'failed'
      out.push({ type: 'run-end', outcome: 'error', error: runError, ...keep({ request_id }) })
    },
    message(out, raw) {
      const isAnswer = raw.role === 'assistant' && Array.isArray(raw.content)
      if (!isAnswer) return keepRaw(out, raw)
      begin(out, raw)
      return stop(out)
    },
  }

  return {
    push: (value) => readRow(rows, (value as RawEvent).type, value),
    end() {
      if (message.isOpen || ending !== 'stopped') return []
      const { stopReason: reason, calls } = message
      const cut = cutCalls(reason === 'tool_use' ? [] : calls)
      return [...cut, { type: 'run-end', outcome: 'success', ...present({ reason }) }]
    },
  }
}

/** Reasons to stop after which the next request is an ordinary one. */
const ORDINARY = namesIn('end_turn tool_use stop_sequence')

function addEnd(out: Out, { isOpen, messageId, stopReason: reason, container }: OpenMessage): void {
  if (!isOpen) return
  const stop_reason = ORDINARY.has(reason ?? '') ? undefined : reason
  out.push({ type: 'step-end', ...present({ reason }) })
  out.push({ type: 'message-end', messageId, ...keep({ stop_reason, container }) })
}

/** Usage, the stop reason and other details of the message; an absent or `null` field changes nothing. */
function readDetails(out: Out, message: OpenMessage, details: Details, usage: RawUsage | null | undefined): void {
  const merged = mergeUsage(message.usage, usage)
  if (usage) out.push(...usageEvents(merged))
  out.push(...metadata(detailsOf(details)))
  message.usage = merged
  message.stopReason = details.stop_reason ?? message.stopReason
  message.container = (details.container as Json | undefined) ?? message.container
}
