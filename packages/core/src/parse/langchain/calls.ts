import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { Meta, RunBy } from '../../event-fields.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { objectIn, objectsIn } from '../kit/fields.ts'
import { keepRaw } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { partsOfBlock } from './content-parts.ts'
import type { GraphScope } from './emitted-message.ts'
import { type LangMessage, readMessage } from './message.ts'

export interface Call {
  /** Unique in the run, because nested graphs may reuse an id for their own calls. */
  readonly callId: string
  readonly name: string
  readonly scope: GraphScope
  readonly runBy: RunBy
  readonly index?: string | undefined
  readonly messageId?: string | undefined
  /** The length of the input text that was emitted. */
  length: number
  /** The beginning of its input text, to find out which of several calls is meant. */
  beginning: string
  wholeInput?: Json | undefined
  error?: string | undefined
  hasInput?: boolean
  isAnswered?: boolean
  /** Its output, and what repetitions added to it. */
  answer?: Json
  /** Whether a graph is linked to it. */
  isLinked?: boolean
}

export interface NewCall extends Partial<Pick<Call, 'index' | 'runBy' | 'messageId'>> {
  readonly id: string | undefined
  readonly name: string
  readonly meta?: Meta
}

export interface Answer extends Partial<Pick<LangMessage, 'isError' | 'name' | 'artifact'>> {
  readonly output: Json
  /** Why it failed, if that is not the whole output. */
  readonly error?: string | undefined
}

const ORPHAN: Meta = { millrace: { orphan: true } }

export type Calls = ReturnType<typeof createCalls>

/** The calls of a run, by graph scope and id. */
export function createCalls() {
  const byId = new Map<string, Call>()
  /** By id: the scope that uses it unchanged. */
  const owners = new Map<string, string>()
  let minted = 0

  function uniqueId(scope: GraphScope, id: string): string {
    const owner = owners.get(id)
    if (owner === undefined) remember(owners, id, scope.key)
    return owner === undefined || owner === scope.key ? id : `${id}@${scope.key}`
  }

  function find(scope: GraphScope, id: string | undefined): Call | undefined {
    return id === undefined ? undefined : byId.get(keyOf(scope, id))
  }

  const openAnywhere = () => [...byId.values()].filter((call) => !call.isAnswered && call.runBy === 'agent')
  /** The calls of a scope without an output, oldest first. */
  const open = (scope: GraphScope) => openAnywhere().filter((call) => call.scope.key === scope.key)

  /** The call of a result without an id: in the last message with open calls, the first of its name, else the first. */
  function waiting(scope: GraphScope, name: string | undefined): Call | undefined {
    const calls = open(scope)
    const latest = calls.filter(({ messageId }) => messageId === calls.at(-1)?.messageId)
    return latest.find((call) => call.name === name) ?? latest[0]
  }

  /** Starts a call in a graph and, if known, in a message. */
  function start(out: Out, scope: GraphScope, { id, name, index, runBy = 'agent', messageId, meta }: NewCall): Call {
    const rawId = id ?? `call-${++minted}`
    // An orphan keeps its id, because its call may have been started in another graph.
    const callId = meta === ORPHAN ? rawId : uniqueId(scope, rawId)
    out.push({ type: 'tool-start', callId, name, runBy, ...present({ messageId, meta }), ...scope.agent })
    const call: Call = { callId, name, scope, index, runBy, messageId, length: 0, beginning: '' }
    return remember(byId, keyOf(scope, rawId), call)
  }

  /** A call without a start in the stream. It has no input. */
  function startOrphan(out: Out, scope: GraphScope, id: string, name = 'unknown'): Call {
    return Object.assign(start(out, scope, { id, name, meta: ORPHAN }), { hasInput: true })
  }

  /**
   * The output of a call, and the files in it. A second output is not emitted. A call without a start is started here,
   * as an orphan. Returns whether the output was emitted.
   */
  function answer(out: Out, scope: GraphScope, id: string | undefined, given: Answer): boolean {
    const { isError, output, name, artifact } = given
    const call = id === undefined ? waiting(scope, name) : (find(scope, id) ?? startOrphan(out, scope, id, name))
    if (call === undefined) keepRaw(out, present({ name, output }))
    else if (call.isAnswered) repeatOutput(out, call, output)
    if (call === undefined || call.isAnswered) return false
    const { callId } = call
    Object.assign(call, { isAnswered: true, answer: output })
    completeInput(out, call)
    const error = isError ? (given.error ?? textOf(output)) : undefined
    const meta = artifact === undefined ? undefined : { langchain: { artifact } }
    const status = isError ? 'error' : 'ok'
    out.push({ type: 'tool-output', callId, status, output, ...scope.agent, ...present({ error, meta }) })
    pushFiles(out, callId, scope, [output, artifact])
    return true
  }

  /** A tool's message is the output of its call. */
  function answerWith(out: Out, scope: GraphScope, message: LangMessage): void {
    answer(out, scope, message.toolCallId, { ...message, output: message.content })
  }

  return {
    start,
    find,
    open,
    openAnywhere,
    /** Whether a tool of this name was called in a scope. */
    wasCalled: (scope: GraphScope, name: string) =>
      [...byId.values()].some((call) => call.scope.key === scope.key && call.name === name),
    answer,
    answerWith,
    /** The value that a tool returned: a message, a command that holds one, or anything else. */
    answerWithValue(out: Out, scope: GraphScope, id: string | undefined, output: Json, name?: string): void {
      const message = readMessage(output) ?? toolMessageIn(output, id)
      const isOfAnother = message?.toolCallId === undefined || (id !== undefined && !find(scope, message.toolCallId))
      if (message?.role !== 'tool') answer(out, scope, id, { output, name })
      else answerWith(out, scope, isOfAnother ? { ...message, toolCallId: id } : message)
    },
  }
}

/** A part of the output of a call that runs. */
export function pushProgress(out: Out, callId: string, part: Json, { agent }: GraphScope): void {
  if (typeof part === 'string') out.push({ type: 'tool-progress', callId, channel: 'text', text: part, ...agent })
  else out.push({ type: 'tool-progress', callId, channel: 'data', data: part, ...agent })
}

const keyOf = (scope: GraphScope, id: string) => (scope.key === '' ? id : `${scope.key}\n${id}`)

/** The input of a call, once: the whole input, or none if it is assembled from its fragments. */
export function completeInput(out: Out, call: Call): void {
  if (call.hasInput) return
  call.hasInput = true
  const { callId, wholeInput, error, scope } = call
  if (typeof wholeInput === 'string' && error !== undefined)
    out.push({ type: 'tool-input', callId, text: wholeInput, error, ...scope.agent })
  else out.push({ type: 'tool-input', callId, ...scope.agent, ...(wholeInput !== undefined && { input: wholeInput }) })
}

/** A failure comes twice, in different words. A repetition with new text is kept as `raw` beside the tool's output. */
function repeatOutput(out: Out, call: Call, output: Json): void {
  const { answer } = call
  if (answer === undefined || sentencesIn(output).every((sentence) => isContained(answer, sentence))) return
  call.answer = [answer, output]
  keepRaw(out, { tool_call_id: call.callId, content: output })
}

/** The texts of a value that contain a space, so that they are more than a name. */
function sentencesIn(value: Json): readonly string[] {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : []
}

function isContained(value: Json, sentence: string): boolean {
  return typeof value === 'string'
    ? value.includes(sentence)
    : sentencesIn(value).some((text) => text.includes(sentence))
}

/** The error text of an output. */
function textOf(output: Json): string {
  if (typeof output === 'string' && output !== '') return output
  const texts = objectsIn(output).map(({ text }) => (typeof text === 'string' ? text : ''))
  const { error_message, error_code } = objectIn(output)
  return texts.join('') || String(error_message ?? error_code ?? 'The tool failed')
}

/** The files in the lists of content that a tool returned: adapters of MCP put some of them into the artifact. */
function pushFiles(out: Out, callId: string, { agent }: GraphScope, lists: readonly (Json | undefined)[]): void {
  const parts = lists.flatMap((list) => objectsIn(list).flatMap(partsOfBlock))
  const files = parts.flatMap((part) => (part.kind === 'file' ? [part.file] : []))
  for (const [at, file] of files.entries())
    out.push({ type: 'file', fileId: `${callId}:file-${at}`, ...file, callId, ...agent })
}

/** The tool message inside a command that updates the state. */
function toolMessageIn(output: Json, id: string | undefined): LangMessage | undefined {
  if (!isJsonObject(output)) return undefined
  const { messages } = isJsonObject(output.update) ? output.update : output
  const read = Array.isArray(messages) ? messages.map(readMessage) : []
  return read.find((message) => message?.role === 'tool' && (id === undefined || message.toolCallId === id))
}

/** Whether the input of a call, as far as it is kept, contains this text. */
export function mentions({ beginning, wholeInput }: Call, text: string): boolean {
  const input = beginning === '' && wholeInput !== undefined ? JSON.stringify(wholeInput) : beginning
  const escaped = JSON.stringify(text).slice(1, -1)
  return input.includes(escaped.slice(0, MAX_BEGINNING / 2))
}

/** A text field of a call's input. */
export function inputText({ beginning, wholeInput }: Call, field: string): string | undefined {
  const value = objectIn(wholeInput)[field]
  if (typeof value === 'string') return value
  return new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]*)"`).exec(beginning)?.[1]
}

export const MAX_BEGINNING = 4096
