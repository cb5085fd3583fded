import type { Message } from '@ag-ui/client'
import type { EventOf } from '@millrace/core/events'
import type { SegmentOf } from '@millrace/core/fold/shapes'
import { isJsonObject, type Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import { type PublicHalf, type Reading, withoutMillrace } from '@millrace/testkit/public-half'
import { callsOf, endOf, isVisible, type Part, type PublicRun, segmentsOf } from '@millrace/testkit/public-run'
import { assistantEvents, pausesIn, pick, textsOf } from '@millrace/testkit/public-values'
import { agUiContentOf, readAgUi } from '../readers/ag-ui.ts'
import { parentOf, parentsIn, readTool, toolOf } from './ag-ui-calls.ts'
import { readUsage, usageOf } from './ag-ui-usage.ts'

type Fields = { readonly [field: string]: Json | undefined }

const CUSTOM_EVENT = 'It is a custom event of ours.'

/** The official client, and the events that it keeps nothing of. */
export const publicHalf: PublicHalf = {
  strip: (chunk) => (isOurs(chunk) ? undefined : withoutMillrace(chunk)),
  async read(chunks) {
    const { messages, calls, state } = await readAgUi(chunks)
    return { ...readingOf(messages, calls, chunks), state: state ?? {} }
  },
  says: {
    texts: (run) => textsOf(run, 'text'),
    reasonings: (run) => textsOf(run, 'reasoning'),
    citations: { privateOnly: 'A message has no citations.' },
    signatures: ({ entries }) =>
      entries.flatMap(({ event }) =>
        event.type === 'block-patch' ? [event.signature ?? [], event.encrypted ?? []].flat() : [],
      ),
    tools: (run) =>
      callsOf(run).map((call) => ({
        ...toolOf(call),
        parent: parentsIn(run).get(call.segment.callId),
        reports: run.entries.filter(
          ({ event }) => event.type === 'tool-progress' && event.callId === call.segment.callId,
        ).length,
      })),
    questions: ({ entries }) => withoutRepeats([...pausesIn(entries), ...awaitedAtEnd(entries)]),
    sources: { privateOnly: CUSTOM_EVENT },
    files: { privateOnly: CUSTOM_EVENT },
    todos: (run) => segmentsOf(run, 'todos').map(({ items }) => items),
    subagents: (run) => segmentsOf(run, 'subagent').map(subagentOf),
    statuses: (run) =>
      segmentsOf(run, 'status').flatMap(({ lines }) => lines.map((line) => pick(line, 'message', 'level'))),
    data: keptData,
    errors: { privateOnly: CUSTOM_EVENT },
    order: (run) => placed(run).map(({ segment }) => labelOf(segment)),
    owners: (run) => placed(run).map(({ agentId }) => agentId ?? 'main'),
    steps: (run) => (pausesIn(run.entries).length > 0 ? 'paused' : stepsIn(run)),
    state: sharedState,
    usage: usageOf,
    outcome: outcomeOf,
  },
}

function isOurs({ type, name }: Chunk): boolean {
  return type === 'CUSTOM' && String(name).startsWith('millrace.')
}

const PLACED: { readonly [type: string]: string } = {
  TEXT_MESSAGE_START: 'text',
  REASONING_MESSAGE_START: 'reasoning',
  TOOL_CALL_START: 'tool',
}

function readingOf(messages: readonly Message[], calls: readonly string[], chunks: readonly Chunk[]): Reading {
  const { texts, reasonings } = agUiContentOf(messages, calls)
  const activities = (isMeant: (type: string) => boolean) =>
    messages.flatMap((one) => (one.role === 'activity' && isMeant(one.activityType) ? [one] : []))
  const starts = chunks.filter((chunk) => String(chunk.type) in PLACED && !isEmpty(chunk, chunks))
  const isWritten = (text: string) => text !== ''
  return {
    texts: texts.filter(isWritten),
    reasonings: reasonings.filter(isWritten),
    signatures: chunks.flatMap(({ type, subtype, encryptedValue }) =>
      type === 'REASONING_ENCRYPTED_VALUE' && subtype === 'message' ? [encryptedValue] : [],
    ),
    tools: calls.map((id) => ({
      ...readTool(id, messages),
      parent: parentOf(id, chunks),
      reports: activities((type) => type === 'TOOL_PROGRESS')
        .filter(({ content }) => content.toolCallId === id)
        .reduce((sum, { content }) => sum + (content.pieces as readonly unknown[]).length, 0),
    })),
    questions: withoutRepeats(chunks.flatMap(interruptsIn)),
    todos: activities((type) => type === 'TODOS').map(({ content }) => content.todos),
    statuses: activities((type) => type === 'STATUS').map(({ content }) => content),
    data: activities((type) => !OURS.has(type)).map(({ activityType: name, content: data }) => ({ name, data })),
    subagents: readSubagents(chunks),
    usage: readUsage(chunks),
    order: starts.map(
      ({ type, toolCallName }) => `${PLACED[String(type)]}${toolCallName === undefined ? '' : ` ${toolCallName}`}`,
    ),
    owners: starts.map(({ subagentRunId }) => subagentRunId ?? 'main'),
    steps: chunks.some((chunk) => interruptsIn(chunk).length > 0)
      ? 'paused'
      : chunks.flatMap(({ type, stepName }) => (type === 'STEP_STARTED' ? [stepName] : [])),
    outcome: readOutcome(chunks.filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR').at(-1) ?? {}),
  }
}

const OURS = new Set(['TODOS', 'STATUS', 'TOOL_PROGRESS'])

/** Whether nothing is written in a message. */
function isEmpty({ type, messageId }: Chunk, chunks: readonly Chunk[]): boolean {
  if (type === 'TOOL_CALL_START') return false
  return !chunks.some((chunk) => chunk.messageId === messageId && typeof chunk.delta === 'string' && chunk.delta !== '')
}

function interruptsIn({ type, outcome }: Chunk): readonly (readonly string[])[] {
  const { interrupts } = (outcome ?? {}) as { readonly interrupts?: readonly { readonly id: string }[] }
  return type === 'RUN_FINISHED' && interrupts !== undefined ? [interrupts.map(({ id }) => id)] : []
}

/** A run that ends while it waits says again what it waits for: of its questions, those without an answer. */
function awaitedAtEnd(entries: PublicRun['entries']): readonly (readonly string[])[] {
  const open = new Set<string>()
  for (const { event } of entries) {
    if (event.type === 'approval' && event.state === 'requested') open.add(event.approvalId)
    else if (event.type === 'approval') open.delete(event.approvalId)
    else if (event.type === 'run-end' && event.outcome === 'awaiting-input' && open.size > 0) return [[...open]]
  }
  return []
}

/** The same list again, without a change between, is no other pause. */
function withoutRepeats(lists: readonly (readonly string[])[]): readonly string[] {
  const texts = lists.map((list) => list.join(' '))
  return texts.filter((text, index) => text !== texts[index - 1])
}

function readSubagents(chunks: readonly Chunk[]): readonly object[] {
  const agents = new Map<Json | undefined, object>()
  for (const { type, subagentRunId: agentId, name, description: task, outcome, result, message, code } of chunks) {
    if (type === 'SUBAGENT_STARTED') agents.set(agentId, { ...agents.get(agentId), agentId, name, task })
    const isSuspended = (outcome as Fields | undefined)?.type === 'suspended'
    if (type === 'SUBAGENT_FINISHED' && !isSuspended)
      agents.set(agentId, { ...agents.get(agentId), state: 'done', summary: result })
    if (type === 'SUBAGENT_ERROR')
      agents.set(agentId, { ...agents.get(agentId), state: code ?? 'failed', summary: message })
  }
  return [...agents.values()]
}

function subagentOf({ agentId, name, task, state, summary }: SegmentOf<'subagent'>): object {
  const verbs: { readonly [state: string]: string } = {
    failed: 'failed',
    cancelled: 'was cancelled',
    interrupted: 'was interrupted',
  }
  return {
    agentId,
    name,
    task,
    state,
    summary: summary ?? (state in verbs ? `The subagent ${verbs[state]}.` : undefined),
  }
}

/**
 * Data without an id is a custom event, and so is data that is no object, because the content of an activity is one. A
 * value that replaces an object is inside one.
 */
function keptData({ entries }: PublicRun): readonly object[] {
  const kept = new Map<string, object>()
  for (const event of assistantEvents(entries, 'all')) {
    if (event.type !== 'data' || event.id === undefined || event.transient) continue
    const { name, id, data } = event
    const key = JSON.stringify([name, id])
    if (isJsonObject(data)) kept.set(key, { name, data })
    else if (kept.has(key)) kept.set(key, { name, data: { value: data } })
  }
  return [...kept.values()]
}

const placed = ({ parts }: PublicRun) =>
  parts.filter((part) => isVisible(part) && ['text', 'reasoning', 'tool'].includes(part.segment.type))

const labelOf = (segment: Part['segment']) => (segment.type === 'tool' ? `tool ${segment.name}` : segment.type)

function stepsIn({ entries }: PublicRun): readonly string[] {
  const steps = entries.flatMap(({ event }) => (event.type === 'step-start' ? [event] : []))
  return steps.map(({ kind, name, number }) => name ?? (number === undefined ? kind : `${kind} ${number}`))
}

/** The client holds one state: that of the first of our two channels for it. */
function sharedState({ entries, snapshot }: PublicRun): Json {
  const states = entries.flatMap(({ event }) => (event.type === 'state' ? [event] : []))
  const shared = states.find(({ channel }: EventOf<'state'>) => channel === 'state' || channel === 'values')
  return (shared === undefined ? undefined : snapshot.state?.[shared.channel]) ?? {}
}

function readOutcome({ type, outcome, message, code }: Chunk): object {
  return type === 'RUN_ERROR'
    ? { type: 'error', message, code }
    : { type: (outcome as Fields | undefined)?.type, pending: (outcome as Fields | undefined)?.pendingToolCallIds }
}

function outcomeOf(run: PublicRun): object {
  const { outcome, error, reason } = endOf(run)
  const interrupted = outcome === 'interrupted' ? 'interrupted' : undefined
  if (outcome === 'error' || outcome === 'interrupted') {
    return {
      type: 'error',
      message: error?.message ?? reason ?? (interrupted ? 'The run was interrupted.' : 'The run failed.'),
      code: error?.code ?? interrupted,
    }
  }
  if (outcome !== 'awaiting-input') return { type: outcome }
  if (openQuestions(run.entries).size > 0) return { type: 'interrupt' }
  const pending = callsOf(run).flatMap(({ segment, output }) => (output === undefined ? [`run/${segment.callId}`] : []))
  return { type: 'success', pending: pending.length === 0 ? undefined : pending }
}

function openQuestions(entries: PublicRun['entries']): ReadonlySet<string> {
  const open = new Set<string>()
  for (const { event } of entries) {
    if (event.type === 'approval' && event.state === 'requested') open.add(event.approvalId)
    else if (event.type === 'approval') open.delete(event.approvalId)
  }
  return open
}
