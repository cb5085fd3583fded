import { remember, rememberOne } from '../../data/remember.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { isEmpty, keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { EventScope } from '../parser.ts'
import { pushMedia } from './prose.ts'
import { type ToolCall, type ToolContent, withFieldsOf } from './tool-call.ts'

/** The current state of a call: updates hold only the fields that have changed. */
interface Call {
  readonly callId: string
  readonly scope: EventScope
  input?: Json
  hasInput: boolean
  content: ToolContent[]
  /** Whether its content is only text. */
  isPlain: boolean
  rawOutput: Json | undefined
  /** The part of its text that was emitted. */
  emittedText: string
  isDenied: boolean
  title: string | undefined
  /** The title that an event holds. */
  shownTitle: string | undefined
}

export function createTools() {
  const calls = new Map<string, Call>()
  const endedCalls = new Set<string>()
  /**
   * Calls that are being prepared. They start with their next update: a response to a client does not end while an input is awaited, and
   * the question about another call could not be answered.
   */
  const announced = new Map<string, { readonly raw: ToolCall; readonly scope: EventScope }>()
  const terminals = new Map<string, string>()

  function openCall(callId: string, scope: EventScope): Call {
    return remember(calls, callId, {
      callId,
      scope,
      hasInput: false,
      content: [],
      isPlain: true,
      rawOutput: undefined,
      emittedText: '',
      isDenied: false,
      title: undefined,
      shownTitle: undefined,
    })
  }

  function noteTerminals(callId: string, content: readonly ToolContent[]): void {
    for (const { terminalId } of content) if (terminalId !== undefined) remember(terminals, terminalId, callId)
  }

  return {
    /** Returns false if the call has ended. */
    update(out: Out, latest: ToolCall, scope: EventScope): boolean {
      const { toolCallId: callId, _meta } = latest
      if (typeof callId !== 'string') throw new TypeError('A call has no id.')
      const raw = withFieldsOf(announced.get(callId)?.raw, latest)
      if (_meta?.phase === 'preparing' && !calls.has(callId) && !endedCalls.has(callId)) {
        remember(announced, callId, { raw, scope })
        return true
      }
      announced.delete(callId)
      const { status, content, rawInput, rawOutput, isAsked } = raw
      if (endedCalls.has(callId)) return false
      if (content && !areObjects(content)) throw new TypeError('The content is not an array of objects.')
      const existing = calls.get(callId)
      if (existing === undefined) pushStart(out, raw, scope)
      const call = existing ?? openCall(callId, scope)
      const isFull = !isBare(rawInput) && JSON.stringify(rawInput) !== JSON.stringify(call.input)
      if (isFull) call.input = rawInput as Json
      if (content) call.content = [...content]
      call.rawOutput = rawOutput ?? call.rawOutput
      noteTerminals(callId, call.content)
      call.title = raw.title ?? call.title
      if (existing === undefined) call.shownTitle = call.title
      const isLast = status === 'completed' || status === 'failed'
      const isRunning = status === 'in_progress' || (!isFull && !status)
      // An input that changes after it was emitted.
      if (call.hasInput && isFull) pushData(out, call, { rawInput: call.input as Json })
      if (isLast || isAsked || (isRunning && call.input !== undefined)) pushInput(out, call)
      pushText(out, call, 'stdout', _meta?.terminal_output?.data)
      if (isLast) {
        calls.delete(callId)
        rememberOne(endedCalls, callId)
        pushOutput(out, call, status === 'failed')
        return true
      }
      if (content) pushGrowth(out, call)
      // A result that comes before the end of the call.
      if (rawOutput !== undefined && rawOutput !== null) pushData(out, call, rawOutput)
      return true
    },
    /** Adds content to a call. Returns false if the call has ended. */
    add(out: Out, callId: string, content: ToolContent, scope: EventScope): boolean {
      if (!isJsonObject(content)) throw new TypeError('The content is not an object.')
      if (endedCalls.has(callId)) return false
      const call = calls.get(callId) ?? openCall(callId, scope)
      call.content.push(content)
      noteTerminals(callId, [content])
      pushInput(out, call)
      pushAddition(out, call, content)
      return true
    },
    /** Emits the inputs of calls that will not run. */
    settleAll(out: Out): void {
      for (const { raw, scope } of announced.values()) {
        pushStart(out, raw, scope)
        const call = openCall(raw.toolCallId, scope)
        if (!isBare(raw.rawInput)) call.input = raw.rawInput as Json
      }
      announced.clear()
      for (const call of calls.values()) if (call.input !== undefined) pushInput(out, call)
    },
    /** The call that shows a terminal. */
    ofTerminal: (terminalId: string) => terminals.get(terminalId),
    deny(callId: string): void {
      const call = calls.get(callId)
      if (call !== undefined) call.isDenied = true
    },
    hasOpen: () => calls.size > 0,
  }
}

/** Every agent gives a call a title; some name the tool, most give only its kind. */
function pushStart(out: Out, call: ToolCall, scope: EventScope): void {
  const { toolCallId: callId, title, kind, _meta, locations } = call
  const isKind = kind !== undefined && kind !== null && kind !== 'other'
  const name = call.name ?? _meta?.claudeCode?.toolName ?? (isKind ? kind : (title ?? kind ?? 'tool'))
  const meta = keep('acp', { kind, locations: locations?.length ? locations : undefined })
  const titleField = title && title !== name ? { title } : {}
  out.push({ ...scope, type: 'tool-start', callId, name, runBy: 'agent', ...titleField, ...meta })
}

/** The input is emitted once, when the call runs: until then an agent may still change it, and some send it late. */
function pushInput(out: Out, call: Call): void {
  if (call.hasInput) return
  call.hasInput = true
  const { scope, callId, input = {} } = call
  out.push({ ...scope, type: 'tool-input', callId, input, ...keep('acp', { title: takeTitle(call) }) })
}

function pushData(out: Out, { scope, callId }: Call, data: Json): void {
  out.push({ ...scope, type: 'tool-progress', callId, channel: 'data', data })
}

function pushText(out: Out, { scope, callId }: Call, channel: 'stdout' | 'text', text: string | undefined): void {
  if (text) out.push({ ...scope, type: 'tool-progress', callId, channel, text })
}

/** Text that grows is emitted as its added part; other content is emitted whole. */
function pushGrowth(out: Out, call: Call): void {
  const { content, emittedText } = call
  if (content.length === 0) return
  const text = textOf(content)
  call.isPlain = text !== undefined
  if (text === undefined || !text.startsWith(emittedText)) {
    pushData(out, call, [...content] as never)
    return
  }
  call.emittedText = text
  pushText(out, call, 'text', text.slice(emittedText.length))
}

/** Only the added content is emitted. */
function pushAddition(out: Out, call: Call, added: ToolContent): void {
  const { content } = added
  if (content?.type !== 'text' || !call.isPlain) {
    call.isPlain = false
    pushData(out, call, added as never)
    return
  }
  const text = call.content.length > 1 ? `\n${content.text}` : content.text
  call.emittedText += text
  out.push({ ...call.scope, type: 'tool-progress', callId: call.callId, channel: 'text', text: text as string })
}

function pushOutput(out: Out, call: Call, isFailed: boolean): void {
  const { callId, content, rawOutput, scope } = call
  const hasOnlyRaw = content.every(({ type }) => type === 'terminal') && rawOutput !== undefined
  const contentOutput = hasOnlyRaw ? undefined : (textOf(content) ?? (content as unknown as Json))
  const output = contentOutput ?? rawOutput ?? ''
  const isRepeated = contentOutput === undefined || rawOutput === contentOutput
  const status: ToolStatus = call.isDenied && isFailed ? 'denied' : isFailed ? 'error' : 'ok'
  const event: EventOf<'tool-output'> = {
    ...scope,
    type: 'tool-output',
    callId,
    status,
    output,
    ...(status === 'error' && { error: typeof output === 'string' && output !== '' ? output : 'The tool failed' }),
    ...keep('acp', { rawOutput: isRepeated ? undefined : rawOutput, title: takeTitle(call) }),
  }
  out.push(event)
  content.forEach(({ content: part }, index) => {
    if (part !== undefined) pushMedia(out, part, `${callId}:media-${index}`, scope, callId)
  })
}

/** The title that replaces that of the start; an event holds it once. */
function takeTitle(call: Call): string | undefined {
  const title = call.title === call.shownTitle ? undefined : call.title
  call.shownTitle = call.title
  return title
}

function areObjects(values: unknown): boolean {
  return Array.isArray(values) && values.every(isJsonObject)
}

/** Returns undefined if any of the content is not text. */
function textOf(content: readonly ToolContent[]): string | undefined {
  const texts = content.map(({ content: part }) => (part?.type === 'text' ? part.text : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

function isBare(input: Json | undefined): boolean {
  return input === undefined || input === null || (typeof input === 'object' && isEmpty(input))
}
