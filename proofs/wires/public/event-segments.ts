import type { ChatEvent } from '@millrace/core/fold/shapes'
import type { Chunk } from '@millrace/core/wire/wire'
import { type PublicHalf, type Reading, withoutMillrace } from '@millrace/testkit/public-half'
import {
  type Call,
  callsOf,
  endOf,
  isVisible,
  type Part,
  type PublicRun,
  segmentsOf,
} from '@millrace/testkit/public-run'
import { pick, textsOf } from '@millrace/testkit/public-values'
import { CALLS, createStore, type Fields, textOf } from './event-store.ts'

/** The segments of a run in the order of their Events. */
function byEvent(run: PublicRun): PublicRun {
  const { snapshot, parts } = run
  return { ...run, parts: snapshot.chatEvents.flatMap((chat) => parts.filter(({ message }) => message === chat)) }
}

/** A store of Events: what a client has once it has applied all segments and deltas, and what it is told to store. */
export const publicHalf: PublicHalf = {
  strip: (chunk) => (chunk.type === 'millrace' ? undefined : withoutMillrace(chunk)),
  read: (chunks) => readingOf(chunks),
  says: {
    texts: (run) => textsOf(byEvent(run), 'text'),
    reasonings: (run) => textsOf(byEvent(run), 'reasoning'),
    citations: (run) =>
      segmentsOf(byEvent(run), 'text').flatMap(({ citations }) => (citations === undefined ? [] : [citations])),
    signatures: (run) =>
      segmentsOf(byEvent(run), 'reasoning').flatMap(({ signature, encrypted }) =>
        signature === undefined && encrypted === undefined ? [] : [{ signature, encrypted }],
      ),
    tools: (run) => callsOf(byEvent(run)).map(toolOf),
    questions: (run) => questionsIn(run),
    sources: (run) =>
      segmentsOf(byEvent(run), 'source').map((one) =>
        pick(one, 'sourceId', 'kind', 'url', 'title', 'mediaType', 'snippet', 'blockId', 'callId'),
      ),
    files: (run) =>
      segmentsOf(byEvent(run), 'file').map((one) =>
        pick(one, 'fileId', 'mediaType', 'filename', 'url', 'bytes', 'callId'),
      ),
    todos: (run) => segmentsOf(byEvent(run), 'todos').map((one) => pick(one, 'listId', 'items')),
    subagents: (run) =>
      segmentsOf(byEvent(run), 'subagent').map(({ agentId, name, task, state, summary, callId }) => ({
        agentId,
        name,
        task,
        callId,
        status: state,
        summary,
      })),
    statuses: (run) =>
      segmentsOf(byEvent(run), 'status').flatMap(({ lines }) => lines.map((line) => pick(line, 'message', 'level'))),
    data: (run) => segmentsOf(byEvent(run), 'data').map((one) => pick(one, 'name', 'data')),
    errors: (run) => segmentsOf(byEvent(run), 'error').map((one) => pick(one, 'message', 'code', 'name')),
    order: (run) => placed(run).map(({ segment }) => segment.type),
    owners: (run) => placed(run).map(({ message }) => message.id),
    steps: { privateOnly: 'An Event has no steps.' },
    state: { privateOnly: 'An Event has no state.' },
    usage: ({ snapshot }) => snapshot.chatEvents.flatMap(usageOf),
    outcome: (run) => failureOf(run),
  },
}

const QUESTION_FIELDS = [
  ...(['approvalId', 'state', 'callId', 'message', 'request'] as const),
  ...(['answer', 'reason', 'remember', 'input'] as const),
]

function readingOf(chunks: readonly Chunk[]): Reading {
  const store = createStore()
  for (const chunk of chunks) store.push(chunk)
  const events = [...store.events.values()]
  const placedSegments = events.flatMap((event) =>
    event.segments.flatMap((segment) => (segment === undefined ? [] : [{ segment, event }])),
  )
  const all = placedSegments.map(({ segment }) => segment)
  const of = (...types: readonly string[]) => all.filter(({ type }) => types.includes(String(type)))
  const results = of('tool_result')
  const shown = placedSegments.filter(
    ({ segment }) => PLACED[String(segment.type)] !== undefined && !(isProse(segment) && textOf(segment) === ''),
  )
  const isWritten = (text: string) => text !== ''
  return {
    texts: of('text').map(textOf).filter(isWritten),
    reasonings: of('reasoning').map(textOf).filter(isWritten),
    citations: of('text').flatMap(({ citations }) => (citations === undefined ? [] : [citations])),
    signatures: of('reasoning').flatMap(({ signature, encrypted_content: encrypted }) =>
      signature === undefined && encrypted === undefined ? [] : [{ signature, encrypted }],
    ),
    tools: of(...CALLS).map((call) =>
      readCall(
        call,
        results.filter(({ id }) => id === call.id),
      ),
    ),
    questions: of('approval').map((one) => pick(one, ...QUESTION_FIELDS)),
    sources: of('source').map((one) =>
      pick(one, 'sourceId', 'kind', 'url', 'title', 'mediaType', 'snippet', 'blockId', 'callId'),
    ),
    files: of('file').map((one) => pick(one, 'fileId', 'mediaType', 'filename', 'url', 'bytes', 'callId')),
    todos: of('todos').map((one) => pick(one, 'listId', 'items')),
    subagents: of('subagent').map((one) => pick(one, 'agentId', 'name', 'task', 'callId', 'status', 'summary')),
    statuses: of('status').map((one) => pick(one, 'message', 'level')),
    data: of('data').map((one) => pick(one, 'name', 'data')),
    errors: of('error').map((one) => pick(one, 'message', 'code', 'name')),
    order: shown.map(({ segment }) => PLACED[String(segment.type)]),
    owners: shown.map(({ event }) => event.id),
    usage: events.flatMap(({ metadata }) => metadata.usage ?? []),
    outcome: chunks.flatMap(({ type, data }) => (type === 'error' ? [(data as Fields).error] : [])),
  }
}

const PLACED: { readonly [type: string]: string } = {
  text: 'text',
  reasoning: 'reasoning',
  tool_call: 'tool',
  web_search_call: 'tool',
  code_interpreter_call: 'tool',
  source: 'source',
  file: 'file',
  data: 'data',
  error: 'error',
  todos: 'todos',
  subagent: 'subagent',
}
const isProse = ({ type }: Fields) => type === 'text' || type === 'reasoning'

function readCall({ type, name, args, code, id }: Fields, results: readonly Fields[]): object {
  return {
    id,
    name: type === 'tool_call' ? name : String(type).replace(/_call$/, ''),
    input: code === undefined ? args : { code },
    results: results.map((one) => pick(one, 'output', 'error')),
  }
}

const DEFAULT_ERRORS = { error: 'failed', denied: 'denied', cancelled: 'cancelled' } as const

function toolOf({ segment: { callId: id, name, runBy }, input, output }: Call): object {
  const isBuiltIn = runBy === 'provider' && (name === 'web_search' || name === 'code_interpreter')
  const hasResult = output !== undefined && !(isBuiltIn && output.output === null && output.error === undefined)
  return {
    id,
    name,
    input: input?.input ?? (isBuiltIn && input === undefined ? undefined : {}),
    results: hasResult ? [resultOf(output)] : [],
  }
}

function resultOf({ status, output, error }: NonNullable<Call['output']>): object {
  if (status === 'ok' || error !== undefined) return { output, error }
  return { output, error: typeof output === 'string' && output !== '' ? output : DEFAULT_ERRORS[status] }
}

/** Each question once, at the position where it was asked, in its last state. */
function questionsIn({ entries }: PublicRun): readonly object[] {
  const questions = new Map<string, object>()
  for (const { event } of entries) {
    if (event.type !== 'approval') continue
    const given = Object.entries(pick(event, ...QUESTION_FIELDS)).filter(([, value]) => value !== undefined)
    questions.set(event.approvalId, { ...questions.get(event.approvalId), ...Object.fromEntries(given) })
  }
  return [...questions.values()]
}

const placed = (run: PublicRun): readonly Part[] =>
  byEvent(run).parts.filter(
    (part) => PLACED[part.segment.type === 'tool' ? 'tool_call' : part.segment.type] !== undefined && isVisible(part),
  )

function usageOf({ role, usage }: ChatEvent): readonly object[] {
  const { inputTokens, outputTokens, reasoningTokens } = usage ?? {}
  if (role !== 'assistant' || (inputTokens === undefined && outputTokens === undefined)) return []
  return [
    {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      reasoning_tokens: reasoningTokens,
      total_tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    },
  ]
}

function failureOf(run: PublicRun): readonly object[] {
  const { error } = endOf(run)
  return error === undefined ? [] : [{ code: error.code ?? error.name ?? 'error', message: error.message }]
}
