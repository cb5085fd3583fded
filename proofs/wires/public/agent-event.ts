import type { TodoItem, ToolStatus } from '@millrace/core/event-fields'
import type { EventOf } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import { todosAfter } from '@millrace/core/meaning/activity-lines'
import { sseFrame } from '@millrace/core/wire/sse-frames'
import type { PublicHalf } from '@millrace/testkit/public-half'
import { type Call, callsOf, endOf, type PublicRun } from '@millrace/testkit/public-run'
import { assistantEvents } from '@millrace/testkit/public-values'
import { type Page, readAgentEvents } from '../readers/agent-event.ts'

const NO_EVENT = { privateOnly: 'The protocol has no event for it.' }
const IN_THOUGHTS = { privateOnly: 'It is a thought among the others, which are compared as such.' }

/** A page that knows the seven types of event, and nothing else. */
export const publicHalf: PublicHalf = {
  read: (chunks) => readingOf(readAgentEvents(chunks.map((chunk, index) => sseFrame(chunk, `1.${index}`)).join(''))),
  says: {
    texts: bubbleOf,
    reasonings: thoughtsIn,
    citations: NO_EVENT,
    signatures: NO_EVENT,
    tools: (run) => shownCalls(run).map(toolOf),
    questions: questionsIn,
    sources: NO_EVENT,
    files: NO_EVENT,
    todos: IN_THOUGHTS,
    subagents: hostsIn,
    statuses: IN_THOUGHTS,
    data: NO_EVENT,
    errors: IN_THOUGHTS,
    order: { privateOnly: 'The answer is one bubble beside the calls.' },
    owners: NO_EVENT,
    steps: NO_EVENT,
    state: NO_EVENT,
    usage: NO_EVENT,
    outcome: (run) => failureOf(endOf(run)),
  },
}

const isHost = ({ callId }: Page['cards'][number]) => String(callId).startsWith('millrace-subagent-')

function readingOf({ bubble, thoughts, cards, error }: Page) {
  const called = cards.filter((card) => !isHost(card))
  return {
    texts: bubble,
    reasonings: thoughts,
    tools: called.map(({ toolName, toolArgs, output, isError }) => ({ toolName, toolArgs, output, isError })),
    questions: called.flatMap(({ callId, progress: reports }) =>
      reports.flatMap((data) => {
        const { subtype, approvalId, state } = (data ?? {}) as { readonly [field: string]: Json }
        return subtype === 'approval' ? [{ callId, approvalId, state }] : []
      }),
    ),
    subagents: cards.filter(isHost).map(({ toolName, toolArgs, output, isError }) => ({
      toolName,
      task: (JSON.parse(toolArgs) as { readonly task?: string }).task,
      output,
      isError,
    })),
    outcome: error,
  }
}

const SILENT: { readonly [Status in ToolStatus]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'The call was cancelled.',
}

function toolOf({ segment: { name: toolName }, input, output }: Call): object {
  const { input: value, text } = input ?? {}
  const toolArgs =
    value === undefined || (text !== undefined && input?.error !== undefined) ? (text ?? '{}') : JSON.stringify(value)
  if (output === undefined) return { toolName, toolArgs }
  return { toolName, toolArgs, output: outputOf(output), isError: output.status !== 'ok' }
}

function outputOf({ status, output, error }: EventOf<'tool-output'>): string {
  if (status !== 'ok' && (output === null || output === '')) return error || SILENT[status]
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** The deltas of all texts of the main agent, as they came. */
function bubbleOf({ entries }: PublicRun): string {
  const texts = new Set<string>()
  return assistantEvents(entries)
    .map((event) => {
      if (event.type === 'block-start' && event.kind === 'text') texts.add(event.blockId)
      return event.type === 'block-delta' && texts.has(event.blockId) ? event.text : ''
    })
    .join('')
}

/** What is shown as a thought: each thought at its end, and whatever else a person should see. */
function thoughtsIn({ entries }: PublicRun): readonly string[] {
  const held = new Map<string, string>()
  const lists = listsIn(entries)
  const rows: { readonly [type: string]: (event: never) => string | undefined } = {
    'block-start': ({ blockId, kind }: EventOf<'block-start'>) => void (kind === 'reasoning' && held.set(blockId, '')),
    'block-delta': ({ blockId, text }: EventOf<'block-delta'>) =>
      void (held.has(blockId) && held.set(blockId, held.get(blockId) + text)),
    // A thought waits for its end, so that it is shown as it was corrected until then.
    'block-patch': ({ blockId, text }: EventOf<'block-patch'>) =>
      void (text !== undefined && held.has(blockId) && held.set(blockId, text)),
    'block-end'({ blockId }: EventOf<'block-end'>) {
      const thought = held.get(blockId)
      held.delete(blockId)
      return thought
    },
    status: ({ message }: EventOf<'status'>) => message,
    error: ({ message }: EventOf<'error'>) => message,
    todos(event: EventOf<'todos'>) {
      const list = lists.get(event) ?? []
      const changed = list.filter(({ id }) => event.items.some((item) => item.id === id))
      return event.callId === undefined
        ? changed.map(({ status, content }) => `${BOXES[status]} ${content}`).join('\n')
        : ''
    },
    approval: ({ callId, state, message }: EventOf<'approval'>) =>
      callId === undefined && state === 'requested' ? message || 'The agent waits for an answer.' : '',
  }
  return assistantEvents(entries).flatMap((event) => {
    const thought = rows[event.type]?.(event as never)
    return thought === undefined || thought === '' ? [] : [thought]
  })
}

/** Each change of a list, and the list after it. A subagent changes the same lists. */
function listsIn(entries: PublicRun['entries']): ReadonlyMap<EventOf<'todos'>, readonly TodoItem[]> {
  const lists = new Map<string, readonly TodoItem[]>()
  const after = new Map<EventOf<'todos'>, readonly TodoItem[]>()
  for (const { event } of entries) {
    if (event.type !== 'todos') continue
    const list = todosAfter(lists.get(event.listId) ?? [], event)
    lists.set(event.listId, list)
    after.set(event, list)
  }
  return after
}

const BOXES: { readonly [Status in TodoItem['status']]: string } = {
  pending: '[ ]',
  in_progress: '[~]',
  completed: '[x]',
  cancelled: '[-]',
}

/** The calls of the main agent, which are sent once their arguments are complete. */
function shownCalls(run: PublicRun): readonly Call[] {
  const events = run.entries.map(({ event }) => event)
  const placeOf = ({ input }: Call) => (input === undefined ? -1 : events.indexOf(input))
  return callsOf(run)
    .filter((call) => call.agentId === undefined && call.input !== undefined)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Questions about calls of the main agent, in the order of the calls. */
function questionsIn(run: PublicRun): readonly object[] {
  const asked = run.entries.flatMap(({ event }) => (event.type === 'approval' ? [event] : []))
  return shownCalls(run).flatMap(({ segment: { callId } }) =>
    asked.filter((one) => one.callId === callId).map(({ approvalId, state }) => ({ callId, approvalId, state })),
  )
}

/** What a subagent does that a page shows. */
const SHOWN: ReadonlySet<string> = new Set(['block-delta', 'tool-input', 'tool-output', 'status', 'error'])

interface Host {
  readonly toolName: string
  readonly task: string | undefined
  output: string
  isError: boolean
}

/**
 * The calls of this wire that stand for subagents, because no call of the main agent does: none has started them, or it
 * had its output, or that of their parent had it, while they went on.
 */
function hostsIn({ entries }: PublicRun): readonly Host[] {
  const calls = new Map<string, string>()
  const starts = new Map<string, EventOf<'subagent-start'>>()
  const open = new Map<string, Host>()
  const all: Host[] = []
  const isHosted = (agentId: string): boolean => {
    const { callId = '', parentAgentId = calls.get(callId) } = starts.get(agentId) ?? {}
    if (open.has(agentId) || calls.get(callId) === '') return true
    return parentAgentId !== undefined && starts.has(parentAgentId) && isHosted(parentAgentId)
  }
  for (const { event } of entries) {
    const { agentId = '' } = event
    if (event.type === 'tool-start') calls.set(event.callId, agentId)
    if (event.type === 'tool-output') calls.delete(event.callId)
    if (event.type === 'subagent-start') starts.set(agentId, event)
    const start = starts.get(agentId)
    const isShown = event.type === 'subagent-start' || SHOWN.has(event.type)
    if (isShown && start !== undefined && !isHosted(agentId)) {
      const host = { toolName: start.name, task: start.task, output: '', isError: false }
      open.set(agentId, host)
      all.push(host)
    }
    const host = open.get(agentId)
    if (event.type !== 'subagent-end' || host === undefined) continue
    Object.assign(host, { output: event.summary ?? '', isError: event.status !== 'done' })
    open.delete(agentId)
  }
  return all
}

function failureOf({ outcome, error, reason }: EventOf<'run-end'>): string | undefined {
  if (outcome === 'success' || outcome === 'awaiting-input') return undefined
  return error?.message || reason || `The run ${outcome === 'error' ? 'failed' : `was ${outcome}`}.`
}
