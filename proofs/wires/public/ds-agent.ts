import type { EventOf } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import { codeOf, isPythonTool } from '@millrace/core/meaning/code-input'
import { observationText } from '@millrace/core/meaning/pane-routes'
import type { Chunk } from '@millrace/core/wire/wire'
import type { PublicHalf, Reading } from '@millrace/testkit/public-half'
import { type Call, callsOf, endOf, isVisible, type PublicRun } from '@millrace/testkit/public-run'
import { type DsAgentMessage, messageOf } from '../readers/ds-agent-shape.ts'
import { answerOf, linesIn } from './ds-agent-lines.ts'

const IN_LINES = { privateOnly: 'It is a line in the chat, and all lines are compared as such.' }
const NO_FIELD = { privateOnly: 'No message of the protocol has a field for it.' }

/** A client that holds one message for each id and knows the protocol's metadata. */
export const publicHalf: PublicHalf = {
  // A message begins with its first character or when another one follows, so that such a text has no certain position.
  isAmbiguous: ({ entries }) => hasLateText(entries),
  read: (chunks) => ({ ...readingOf(heldIn(chunks)), outcome: readEnd(chunks) }),
  says: {
    texts: (run) => proseIn(run).toSorted(),
    reasonings: { privateOnly: 'Thoughts and texts of a step are the same type of message.' },
    citations: NO_FIELD,
    signatures: NO_FIELD,
    tools: (run) => callsOf(run).map(toolOf),
    questions: IN_LINES,
    sources: IN_LINES,
    files: IN_LINES,
    todos: IN_LINES,
    subagents: IN_LINES,
    statuses: linesIn,
    data: NO_FIELD,
    errors: errorsIn,
    order: placesIn,
    owners: NO_FIELD,
    steps: { privateOnly: 'A run without steps has one step for each message.' },
    state: NO_FIELD,
    usage: { privateOnly: 'Only the counts of a step are in its footer.' },
    outcome: (run) => outcomeOf(run),
  },
}

/** Whether a text is empty at its end and has one only afterwards, which no framework is known to do. */
function hasLateText(entries: PublicRun['entries']): boolean {
  const texts = new Map<string, string>()
  const ended = new Set<string>()
  return entries.some(({ event }) => {
    if (event.type === 'block-end') ended.add(event.blockId)
    if (event.type === 'block-delta') texts.set(event.blockId, (texts.get(event.blockId) ?? '') + event.text)
    if (event.type !== 'block-patch' || event.text === undefined) return false
    const isLate = ended.has(event.blockId) && (texts.get(event.blockId) ?? '') === ''
    texts.set(event.blockId, event.text)
    return isLate
  })
}

/** The messages in the order in which they began, each as it was last. */
function heldIn(chunks: readonly Chunk[]): readonly DsAgentMessage[] {
  const held = new Map<string, DsAgentMessage>()
  for (const chunk of chunks) {
    const message = messageOf(chunk)
    if (message.metadata.streaming === false || !held.has(message.message_id)) held.set(message.message_id, message)
  }
  return [...held.values()]
}

const PROSE: ReadonlySet<unknown> = new Set(['action_thought', 'planning_content', 'final_answer'])

const typeOf = ({ metadata }: DsAgentMessage) => metadata.message_type

/** The protocol marks the end of a run by its last message alone. */
function readEnd(chunks: readonly Chunk[]): object {
  const { message_type: type, is_active: isActive } = messageOf(chunks.at(-1) ?? {}).metadata
  return { type, isActive }
}

const isStructured = ({ metadata }: DsAgentMessage) => metadata.has_structured_data === true

/** A text of the agent, or one that somebody has written to it. One without a character shows nothing. */
function isProse(message: DsAgentMessage): boolean {
  if (typeOf(message) === 'message') return message.role === 'user' && message.content !== ''
  return PROSE.has(typeOf(message)) && (message.content !== '' || isStructured(message))
}

/** A structured answer is in the fields. */
const proseOf = (message: DsAgentMessage) =>
  isStructured(message) ? String(message.metadata.answer_content) : message.content

function readingOf(messages: readonly DsAgentMessage[]): Reading {
  const of = (type: string) => messages.filter((message) => typeOf(message) === type)
  const isWritten = ({ content }: DsAgentMessage) => content !== ''
  return {
    texts: messages.filter(isProse).map(proseOf).toSorted(),
    tools: of('tool_call').map((badge) => readTool(badge, messages)),
    statuses: of('message')
      .filter(({ role }) => role === 'assistant')
      .filter(isWritten)
      .map(({ content }) => content),
    errors: of('error').map(({ metadata }) => metadata.error_message),
    order: messages.flatMap((one) =>
      typeOf(one) === 'tool_call' ? [`tool ${String(one.metadata.tool_name)}`] : isProse(one) ? ['text'] : [],
    ),
  }
}

function readTool({ metadata }: DsAgentMessage, messages: readonly DsAgentMessage[]): object {
  const of = (type: string) =>
    messages.filter((one) => typeOf(one) === type && one.metadata.tool_id === metadata.tool_id)
  const [invocation] = of('tool_invocation')
  const results = of('observation')
  return {
    name: metadata.tool_name,
    input: invocation?.metadata.code ?? jsonOf(invocation?.content ?? ''),
    results: results.map(({ content }) => content),
    hasError: metadata.has_error === true,
  }
}

/** A text that looks like JSON is the same as what it says. */
const jsonIn = (value: Json) => (typeof value === 'string' ? jsonOf(value) : value)

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function proseIn(run: PublicRun): readonly string[] {
  const { file, result } = answerOf(run)
  const texts = [...textsIn(run).map(({ text }) => text), ...(result === undefined ? [] : [result])]
  return [...texts.map((text) => answerIn(text) ?? text), ...(file === undefined ? [] : [linkTo(file)])]
}

function linkTo({ mediaType, filename, url }: EventOf<'file'>): string {
  const link = `[${filename ?? mediaType}](<${url ?? filename}>)`
  return mediaType.startsWith('image/') ? `!${link}` : link
}

/** The texts of the agent, and those that somebody has written to it. */
function textsIn({ parts }: PublicRun): readonly { readonly text: string }[] {
  return parts.flatMap(({ segment, message: { role } }) =>
    (segment.type === 'text' || segment.type === 'reasoning') &&
    segment.text !== '' &&
    (role === 'assistant' || role === 'user')
      ? [segment]
      : [],
  )
}

/** The content of a structured answer. */
function answerIn(text: string): string | undefined {
  const answer = text.startsWith('{') ? jsonOf(text) : undefined
  const { title, content } = (answer ?? {}) as { readonly [field: string]: Json }
  return typeof title === 'string' && typeof content === 'string' ? content : undefined
}

function toolOf({ segment: { name, progress: reports }, input, output }: Call): object {
  const code = isPythonTool(name)
    ? codeOf({
        ...(input?.input !== undefined && { input: input.input }),
        ...(input?.text !== undefined && { inputText: input.text }),
      })
    : undefined
  return {
    name,
    input: code ?? jsonIn(input?.input ?? input?.text ?? ''),
    results: resultsOf(reports?.map(({ text = '' }) => text).join(''), output),
    hasError: output?.status === 'error',
  }
}

/** What a call printed while it ran, and its output unless it is the same. */
function resultsOf(printed: string | undefined, output: Call['output']): readonly string[] {
  if (output === undefined) return printed === undefined ? [] : [printed]
  const text = outputText(output)
  if (printed === undefined) return [text]
  if (text === '' || text.trim() === printed.trim()) return [printed]
  return [`${printed}${printed === '' || printed.endsWith('\n') ? '' : '\n'}${text}`]
}

const SILENT: { readonly [Status in NonNullable<Call['output']>['status']]: string } = {
  ok: '',
  error: 'The tool failed.',
  denied: 'The call was denied.',
  cancelled: 'The call was cancelled.',
}

function outputText({ status, output, error }: NonNullable<Call['output']>): string {
  const text = observationText(output)
  if (error === undefined || text.includes(error)) return text || SILENT[status]
  return text === '' ? error : `${text}${text.endsWith('\n') ? '' : '\n'}${error}`
}

function placesIn(run: PublicRun): readonly string[] {
  const places = run.parts.filter(isVisible).flatMap(({ segment, message: { role } }) => {
    if (role !== 'assistant' && role !== 'user') return []
    if (segment.type === 'tool') return [`tool ${segment.name}`]
    return segment.type === 'text' || segment.type === 'reasoning' ? ['text'] : []
  })
  return Object.keys(answerOf(run)).length > 0 ? [...places, 'text'] : places
}

/** An error with which the run then ends is one message. */
function errorsIn(run: PublicRun): readonly string[] {
  const errors = run.entries.flatMap(({ event }) => (event.type === 'error' ? [event.message] : []))
  const { outcome, error, reason } = endOf(run)
  if (outcome === 'success' || outcome === 'awaiting-input') return errors
  const message = error?.message || reason || FAILURES[outcome]
  return errors.at(-1) === message ? errors : [...errors, message]
}

const FAILURES = {
  error: 'The run failed.',
  interrupted: 'The run was interrupted.',
  cancelled: 'The run was stopped.',
} as const

function outcomeOf(run: PublicRun): object {
  const { outcome } = endOf(run)
  const type = outcome === 'success' ? 'final_answer' : outcome === 'awaiting-input' ? 'message' : 'error'
  return { type, isActive: false }
}
