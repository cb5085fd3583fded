import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { Meta, ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { EventScope } from '../parser.ts'
import { mediaEvents } from './content.ts'
import type { ToolCall, ToolContent } from './raw.ts'

/** The current state of a call: updates hold only the fields that have changed. */
interface Call {
  readonly scope: EventScope
  input: Json | undefined
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

export interface Tools {
  /** Returns undefined if the call has ended. */
  update(call: ToolCall, scope: EventScope): StreamEvent[] | undefined
  /** Adds content to a call. */
  add(callId: string, content: ToolContent, scope: EventScope): StreamEvent[] | undefined
  /** Emits the input of a call that needs an approval. */
  settle(callId: string): StreamEvent[]
  /** Emits the inputs of calls that will not run. */
  settleAll(): StreamEvent[]
  /** The call that shows a terminal. */
  ofTerminal(terminalId: string): string | undefined
  deny(callId: string): void
  hasOpen(): boolean
}

export function createTools(): Tools {
  const calls = new Map<string, Call>()
  const endedCalls = new Set<string>()
  const terminals = new Map<string, string>()

  function openCall(callId: string, scope: EventScope): Call {
    return remember(calls, callId, {
      scope,
      input: undefined,
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

  function close(callId: string): void {
    calls.delete(callId)
    rememberOne(endedCalls, callId)
  }

  /** The input is emitted once, when the call runs: until then an agent may still change it, and some send it late. */
  function inputEvents(call: Call, callId: string, isSettled: boolean): StreamEvent[] {
    if (call.hasInput || !isSettled) return []
    call.hasInput = true
    return [
      { ...call.scope, type: 'tool-input', callId, input: call.input ?? {}, ...metaOf({ title: takeTitle(call) }) },
    ]
  }

  function noteTerminals(callId: string, content: readonly ToolContent[]): void {
    for (const { terminalId } of content) if (terminalId !== undefined) remember(terminals, terminalId, callId)
  }

  return {
    update(raw, scope) {
      const { toolCallId: callId, status, content, rawInput, rawOutput } = raw
      if (typeof callId !== 'string') throw new TypeError('A call has no id.')
      const existing = calls.get(callId)
      if (endedCalls.has(callId)) return undefined
      if (content && !areObjects(content)) throw new TypeError('The content is not an array of objects.')
      const call = existing ?? openCall(callId, scope)
      const isFull = !isEmpty(rawInput) && JSON.stringify(rawInput) !== JSON.stringify(call.input)
      if (isFull) call.input = rawInput as Json
      if (content) call.content = [...content]
      call.rawOutput = rawOutput ?? call.rawOutput
      noteTerminals(callId, call.content)
      const start: StreamEvent[] = existing === undefined ? [startEvent(raw, scope)] : []
      call.title = raw.title ?? call.title
      if (existing === undefined) call.shownTitle = call.title
      const isLast = status === 'completed' || status === 'failed'
      const isRunning = status === 'in_progress' || (!isFull && !status)
      const isSettled = isLast || (isRunning && call.input !== undefined)
      const firstEvents = [
        ...start,
        ...revisedInputEvents(call, callId, isFull),
        ...inputEvents(call, callId, isSettled),
      ]
      if (!isLast) {
        const contentEvents = content ? growthEvents(call, callId) : []
        return [
          ...firstEvents,
          ...terminalOutput(call, callId, raw),
          ...contentEvents,
          ...earlyOutputEvents(call, callId, rawOutput),
        ]
      }
      close(callId)
      return [...firstEvents, ...outputEvents(call, callId, status === 'failed', raw)]
    },
    add(callId, content, scope) {
      if (!isJsonObject(content)) throw new TypeError('The content is not an object.')
      const existing = calls.get(callId)
      if (endedCalls.has(callId)) return undefined
      const call = existing ?? openCall(callId, scope)
      call.content.push(content)
      noteTerminals(callId, [content])
      return [...inputEvents(call, callId, true), ...additionEvents(call, callId, content)]
    },
    settle(callId) {
      const call = calls.get(callId)
      return call === undefined ? [] : inputEvents(call, callId, true)
    },
    settleAll: () => [...calls].flatMap(([callId, call]) => inputEvents(call, callId, call.input !== undefined)),
    ofTerminal: (terminalId) => terminals.get(terminalId),
    deny(callId) {
      const call = calls.get(callId)
      if (call !== undefined) call.isDenied = true
    },
    hasOpen: () => calls.size > 0,
  }
}

/** Every agent gives a call a title; some name the tool, most give only its kind. */
function startEvent(call: ToolCall, scope: EventScope): StreamEvent {
  const { toolCallId: callId, title, kind, _meta, locations } = call
  const isKind = kind !== undefined && kind !== null && kind !== 'other'
  const name = call.name ?? _meta?.claudeCode?.toolName ?? (isKind ? kind : (title ?? kind ?? 'tool'))
  const metaField = metaOf({ kind, locations: locations?.length ? locations : undefined })
  const titleField = title && title !== name ? { title } : {}
  return { ...scope, type: 'tool-start', callId, name, runBy: 'agent', ...titleField, ...metaField }
}

/** The output of a terminal, from agents that send it in the `_meta` of the call. */
function terminalOutput({ scope }: Call, callId: string, { _meta }: ToolCall): StreamEvent[] {
  const text = _meta?.terminal_output?.data
  return text ? [{ ...scope, type: 'tool-progress', callId, channel: 'stdout', text }] : []
}

/** An input that changes after it was emitted. */
function revisedInputEvents({ hasInput, scope, input }: Call, callId: string, isFull: boolean): StreamEvent[] {
  if (!hasInput || !isFull) return []
  return [{ ...scope, type: 'tool-progress', callId, channel: 'data', data: { rawInput: input as Json } }]
}

/** A result that comes before the end of the call. */
function earlyOutputEvents({ scope }: Call, callId: string, rawOutput: Json | undefined): StreamEvent[] {
  if (rawOutput === undefined || rawOutput === null) return []
  return [{ ...scope, type: 'tool-progress', callId, channel: 'data', data: rawOutput }]
}

/** Text that grows is emitted as its added part; other content is emitted whole. */
function growthEvents(call: Call, callId: string): StreamEvent[] {
  const { content, scope } = call
  if (content.length === 0) return []
  const text = textOf(content)
  call.isPlain = text !== undefined
  if (text === undefined || !text.startsWith(call.emittedText)) {
    return [{ ...scope, type: 'tool-progress', callId, channel: 'data', data: [...content] as never }]
  }
  const more = text.slice(call.emittedText.length)
  call.emittedText = text
  return more === '' ? [] : [{ ...scope, type: 'tool-progress', callId, channel: 'text', text: more }]
}

/** Only the added content is emitted. */
function additionEvents(call: Call, callId: string, added: ToolContent): StreamEvent[] {
  const { scope } = call
  const { content } = added
  if (content?.type !== 'text' || !call.isPlain) {
    call.isPlain = false
    return [{ ...scope, type: 'tool-progress', callId, channel: 'data', data: added as never }]
  }
  const text = call.content.length > 1 ? `\n${content.text}` : content.text
  call.emittedText += text
  return [{ ...scope, type: 'tool-progress', callId, channel: 'text', text }]
}

function outputEvents(call: Call, callId: string, isFailed: boolean, raw: ToolCall): StreamEvent[] {
  const { content, rawOutput, scope } = call
  const isBare = content.every(({ type }) => type === 'terminal') && rawOutput !== undefined
  const contentOutput = isBare ? undefined : (textOf(content) ?? (content as unknown as Json))
  const output = contentOutput ?? rawOutput ?? ''
  const extra = {
    rawOutput: contentOutput === undefined || rawOutput === contentOutput ? undefined : rawOutput,
    title: takeTitle(call),
  }
  const status: ToolStatus = call.isDenied && isFailed ? 'denied' : isFailed ? 'error' : 'ok'
  const event: EventOf<'tool-output'> = {
    ...scope,
    type: 'tool-output',
    callId,
    status,
    output,
    ...(status === 'error' && { error: typeof output === 'string' && output !== '' ? output : 'The tool failed' }),
    ...metaOf(extra),
  }
  const media = content.flatMap(({ content: part }, index) =>
    part === undefined ? [] : mediaEvents(part, `${callId}:media-${index}`, scope, callId),
  )
  return [...terminalOutput(call, callId, raw), event, ...media]
}

/** What the vocabulary has no field for. */
function metaOf(fields: object): { readonly meta?: Meta } {
  const acp = present(fields) as JsonObject
  return Object.keys(acp).length > 0 ? { meta: { acp } } : {}
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

function isEmpty(input: Json | undefined): boolean {
  if (input === undefined || input === null) return true
  return typeof input === 'object' && Object.keys(input).length === 0
}
