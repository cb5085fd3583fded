import type { EventOf } from '@millrace/core/events'
import type { SegmentOf, ToolSegment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import type { Chunk } from '@millrace/core/wire/wire'
import type { PublicHalf, Reading } from '@millrace/testkit/public-half'
import {
  type Call,
  callsOf,
  endOf,
  isVisible,
  type Part,
  type PublicRun,
  segmentsOf,
} from '@millrace/testkit/public-run'
import { citationsIn, pick, textsOf } from '@millrace/testkit/public-values'
import { isQuestion, readAiSdk, subagentPart } from '../readers/ai-sdk.ts'

type Fields = { readonly [field: string]: Json | undefined }
type ClientPart = Fields & { readonly type: string }

const says: PublicHalf['says'] = {
  texts: (run) => textsOf(run, 'text'),
  reasonings: (run) => textsOf(run, 'reasoning'),
  citations: (run) => {
    const { whole, late } = citationsIn(run)
    return { whole: whole.filter((list) => list.every(isOfClient)), late }
  },
  signatures: { privateOnly: 'A part has no field for them.' },
  tools: (run) => callsOf(run).map((call) => toolOf(call, run)),
  questions: questionsOf,
  sources: (run) => segmentsOf(run, 'source').map(sourceOf),
  files: (run) => segmentsOf(run, 'file').map(fileOf),
  todos: (run) => segmentsOf(run, 'todos').map(({ items }) => items),
  subagents: (run) =>
    segmentsOf(run, 'subagent').map((one) => pick(one, 'agentId', 'name', 'task', 'state', 'summary')),
  statuses: (run) =>
    segmentsOf(run, 'status').flatMap(({ lines }) => lines.map((line) => pick(line, 'message', 'level'))),
  data: (run) => segmentsOf(run, 'data').map(({ name, data }) => ({ name: name || 'custom', data })),
  errors: (run) => segmentsOf(run, 'error').map((one) => pick(one, 'message', 'code', 'name')),
  order: (run) => run.parts.filter(isVisible).flatMap(labelOf),
  owners: { privateOnly: 'A part has no field for its agent.' },
  steps: { privateOnly: 'A step that would end while a part is open is left out.' },
  state: ({ entries }) =>
    entries.flatMap(({ event }) => (event.type === 'state' ? [pick(event, 'channel', 'op', 'value')] : [])),
  usage: ({ snapshot: { usage } }) => ({ shown: usage, total: usage }),
  outcome: (run) => {
    const { outcome, error, reason } = endOf(run)
    return {
      isAborted: outcome === 'interrupted' || outcome === 'cancelled',
      isCancelled: outcome === 'cancelled',
      error: outcome === 'error' ? (error?.message ?? reason ?? 'The run failed.') : undefined,
    }
  },
}

/** The official client, and the frame of the stream, which the client does not keep. */
export const publicHalf: PublicHalf = {
  isAmbiguous: (run) =>
    segmentsOf(run, 'data').some(({ name }) => `data-${name}` in OURS || UNPLACED.has(`data-${name}`)),
  async read(chunks) {
    const { parts } = await readAiSdk(chunks.filter(({ type }) => type !== 'error'))
    return readingOf((parts as unknown as readonly ClientPart[]).map(subagentPart), chunks)
  },
  says: Object.fromEntries(
    Object.entries(says).map(([aspect, say]) => [
      aspect,
      typeof say === 'function' ? (run: PublicRun) => accepted(say(run)) : say,
    ]),
  ) as PublicHalf['says'],
}

/** The client refuses a whole stream with a key that could replace a prototype: such a key has another name. */
function accepted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(accepted)
  if (typeof value !== 'object' || value === null) return value
  const isRefused = (key: string, inner: object) =>
    key === '__proto__' || (key === 'constructor' && Object.hasOwn(inner, 'prototype'))
  const fields = Object.entries(value).map(([key, inner]) => [
    isRefused(key, Object(inner)) ? `[${key}]` : key,
    accepted(inner),
  ])
  return Object.fromEntries(fields)
}

/** The name of our data parts, and what each is called among the parts. */
const OURS: { readonly [type: string]: string | undefined } = {
  'data-todos': 'todos',
  'data-subagent': 'subagent',
  'data-approval': 'approval',
  'data-error': 'error',
  'data-file': 'file',
  'data-subagent-part': 'text',
}
const UNPLACED = new Set(['data-usage', 'data-state', 'data-status', 'data-retract', 'data-block-patch', 'step-start'])

function readingOf(parts: readonly ClientPart[], chunks: readonly Chunk[]): Reading {
  const dataOf = (name: string) => parts.flatMap(({ type, data }) => (type === `data-${name}` ? [data as Fields] : []))
  const written = (kind: string) => parts.flatMap(({ type, text }) => (type === kind && text !== '' ? [text] : []))
  const finishes = chunks.filter(({ type }) => type === 'finish')
  const last = (finishes.at(-1)?.messageMetadata ?? {}) as Fields
  const { stopReason: _reason, ...shown } = (dataOf('usage').at(-1) ?? {}) as Fields
  return {
    texts: written('text'),
    reasonings: written('reasoning'),
    citations: {
      whole: parts.flatMap(({ type, citations }) => (type === 'text' && citations !== undefined ? [citations] : [])),
      late: dataOf('block-patch').flatMap(({ citations }) => (citations === undefined ? [] : [citations])),
    },
    tools: parts.filter((part) => part.type === 'dynamic-tool' && !isQuestion(part)).map(readTool),
    questions: parts.filter(isQuestion).map(readQuestion),
    sources: parts.flatMap((part) => (part.type.startsWith('source-') ? [withoutType(part)] : [])),
    files: parts.flatMap((part) => {
      const file = part.type === 'data-file' ? (part.data as Fields) : part.type === 'file' ? part : undefined
      return file === undefined ? [] : [pick(file, 'mediaType', 'url')]
    }),
    todos: dataOf('todos').map(({ items }) => items),
    subagents: dataOf('subagent').map((one) => pick(one, 'agentId', 'name', 'task', 'state', 'summary')),
    statuses: dataOf('status').map((one) => pick(one, 'message', 'level')),
    data: parts.flatMap(({ type, data }) =>
      type.startsWith('data-') && !(type in OURS) && !UNPLACED.has(type) ? [{ name: type.slice(5), data }] : [],
    ),
    errors: dataOf('error').map((one) => pick(one, 'message', 'code', 'name')),
    order: parts.flatMap(placeOf),
    state: dataOf('state').map((one) => pick(one, 'channel', 'op', 'value')),
    usage: { shown: dataOf('usage').length === 0 ? undefined : shown, total: last.usage },
    outcome: {
      isAborted: last.aborted === true,
      isCancelled: last.outcome === 'cancelled',
      error: chunks.find(({ type }) => type === 'error')?.errorText,
    },
  }
}

function withoutType({ type: _type, providerMetadata: _metadata, ...part }: ClientPart): Fields {
  return part
}

function placeOf(part: ClientPart): readonly string[] {
  const { type } = part
  if (UNPLACED.has(type) || ((type === 'text' || type === 'reasoning') && part.text === '')) return []
  if (isQuestion(part)) return ['approval']
  if (type === 'dynamic-tool') return [`tool ${part.toolName}`]
  if (type.startsWith('source-')) return ['source']
  return [OURS[type] ?? (type.startsWith('data-') ? 'data' : type)]
}

function labelOf({ segment }: Part): readonly string[] {
  if (segment.type === 'status') return []
  return [segment.type === 'tool' ? `tool ${segment.name}` : segment.type]
}

/** A question about no call, as the client shows it. */
function readQuestion({ approval, input }: ClientPart): object {
  const { id, approved } = approval as Fields
  return { id, approved, ...pick(input as Fields, 'message', 'request') }
}

function questionsOf(run: PublicRun): readonly object[] {
  return segmentsOf(run, 'approval').map(({ approvalId: id, state }) => {
    const question = run.entries.find(({ event }) => event.type === 'approval' && event.approvalId === id)?.event
    const { message, request } = question as EventOf<'approval'>
    const isYes = state === 'approved' || state === 'answered'
    return { id, approved: state === 'requested' ? undefined : isYes, message, request: accepted(request) }
  })
}

function readTool(part: ClientPart): object {
  const { toolName: name, state, input, output, errorText, preliminary, providerExecuted, approval } = part
  const ends: { readonly [state: string]: object } = {
    'output-available': preliminary === true ? {} : { output },
    'output-error': { error: errorText },
    'output-denied': { denied: true },
  }
  const { id, approved } = (approval ?? {}) as Fields
  return { name, input, ...ends[String(state)], isClients: providerExecuted !== true, approval: { id, approved } }
}

type Output = NonNullable<Call['output']>

const ENDS: { readonly [Status in Output['status']]: (output: Output) => object } = {
  ok: ({ output }) => ({ output }),
  error: ({ error, output }) => ({
    error: error ?? (output === null || output === '' ? 'The tool failed.' : textOf(output)),
  }),
  cancelled: ({ error }) => ({ error: error ?? 'Cancelled' }),
  denied: () => ({ denied: true }),
}

const textOf = (output: Json) => (typeof output === 'string' ? output : JSON.stringify(output))

function toolOf({ segment, input, output }: Call, { entries }: PublicRun): object {
  const { callId, name, runBy, approval } = segment
  // A part has one state: a question or progress that follows replaces the error of the input.
  const isReplaced = entries.some(
    ({ event }) => (event.type === 'approval' || event.type === 'tool-progress') && event.callId === callId,
  )
  const inputError = input?.error === undefined || isReplaced ? {} : { error: input.error }
  const end = output === undefined ? inputError : ENDS[output.status](output)
  // The chunk of a denied call has no field for who has run it. The client sends no request for such a call.
  const isClients = runBy === 'client' && (output === undefined || output.status === 'denied')
  return {
    name,
    input: input?.error === undefined ? input?.input : (input.text ?? input.input),
    ...end,
    isClients,
    approval: approvalOf(approval),
  }
}

/** The client knows yes and no: an answer is a yes, and a question that nobody answered a no, unless the call went on. */
function approvalOf(approval: ToolSegment['approval']): object {
  if (approval === undefined) return {}
  const { approvalId: id, state, reason } = approval
  const isYes = state === 'approved' || state === 'answered' || reason === 'went-on'
  return { id, approved: state === 'requested' ? undefined : isYes }
}

/** Whether a citation has the client's own shape; any other is kept in our own fields. */
function isOfClient(citation: Json): boolean {
  return (citation as { readonly source?: { readonly type?: unknown } } | null)?.source?.type === 'source'
}

function sourceOf({ sourceId, kind, url, title, mediaType }: SegmentOf<'source'>): object {
  if (kind === 'url' && url !== undefined) return { sourceId, url, title }
  return { sourceId, mediaType: mediaType ?? 'application/octet-stream', title: title ?? url ?? sourceId }
}

function fileOf({ mediaType, url, bytes }: SegmentOf<'file'>): object {
  return { mediaType, url: bytes === undefined ? url : `data:${mediaType};base64,${bytes}` }
}
