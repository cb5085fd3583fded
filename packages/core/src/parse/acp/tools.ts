import { present } from '../../data/present.ts'
import { remember, rememberOne } from '../../data/remember.ts'
import type { ToolStatus } from '../../event-fields.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { mediaEvents, type Place } from './content.ts'
import type { ToolCall, ToolContent } from './raw.ts'

/** A call as it stands: updates name only what has changed. */
interface Call {
  readonly place: Place
  input: Json | undefined
  hasInput: boolean
  content: ToolContent[]
  /** Its content is text alone. */
  isPlain: boolean
  rawOutput: Json | undefined
  /** As much of its text as has been told. */
  told: string
  isDenied: boolean
}

export interface Tools {
  /** `undefined` where the call is over. */
  update(call: ToolCall, place: Place): StreamEvent[] | undefined
  /** One more piece of a call's content. */
  add(callId: string, content: ToolContent, place: Place): StreamEvent[] | undefined
  /** Tells the input of a call that somebody must decide about. */
  settle(callId: string): StreamEvent[]
  /** Tells the inputs of calls that will not run any more. */
  settleAll(): StreamEvent[]
  /** The call that shows a terminal. */
  ofTerminal(terminalId: string): string | undefined
  deny(callId: string): void
  hasOpen(): boolean
}

export function createTools(): Tools {
  const calls = new Map<string, Call>()
  const over = new Set<string>()
  const terminals = new Map<string, string>()

  function opened(callId: string, place: Place): Call {
    return remember(calls, callId, {
      place,
      input: undefined,
      hasInput: false,
      content: [],
      isPlain: true,
      rawOutput: undefined,
      told: '',
      isDenied: false,
    })
  }

  function close(callId: string): void {
    calls.delete(callId)
    rememberOne(over, callId)
  }

  /** The input is told once, when the call runs: before that, agents still write on it, and some say it late. */
  function input(call: Call, callId: string, isSettled: boolean): StreamEvent[] {
    if (call.hasInput || !isSettled) return []
    call.hasInput = true
    return [{ ...call.place, type: 'tool-input', callId, input: call.input ?? {} }]
  }

  function note(callId: string, content: readonly ToolContent[]): void {
    for (const { terminalId } of content) if (terminalId !== undefined) remember(terminals, terminalId, callId)
  }

  return {
    update(given, place) {
      const { toolCallId: callId, status, content, rawInput, rawOutput } = given
      if (typeof callId !== 'string') throw new TypeError('A call has no id.')
      const known = calls.get(callId)
      if (known === undefined && over.has(callId)) return undefined
      if (content !== undefined && content !== null && !Array.isArray(content)) throw new TypeError('No content.')
      const call = known ?? opened(callId, place)
      const isFull = !isEmpty(rawInput) && JSON.stringify(rawInput) !== JSON.stringify(call.input)
      if (isFull) call.input = rawInput as Json
      if (content) call.content = [...content]
      call.rawOutput = rawOutput ?? call.rawOutput
      note(callId, call.content)
      const start: StreamEvent[] = known === undefined ? [startEvent(given, place)] : []
      const isLast = status === 'completed' || status === 'failed'
      const isRunning = status === 'in_progress' || (!isFull && !status)
      const isSettled = isLast || (isRunning && call.input !== undefined)
      const told = [...start, ...revised(call, callId, isFull), ...input(call, callId, isSettled)]
      if (!isLast) {
        const grown = content ? growth(call, callId) : []
        return [...told, ...terminalOutput(call, callId, given), ...grown, ...early(call, callId, rawOutput)]
      }
      close(callId)
      return [...told, ...outputEvents(call, callId, status === 'failed', given)]
    },
    add(callId, content, place) {
      const known = calls.get(callId)
      if (known === undefined && over.has(callId)) return undefined
      const call = known ?? opened(callId, place)
      call.content.push(content)
      note(callId, [content])
      return [...input(call, callId, true), ...addition(call, callId, content)]
    },
    settle(callId) {
      const call = calls.get(callId)
      return call === undefined ? [] : input(call, callId, true)
    },
    settleAll: () => [...calls].flatMap(([callId, call]) => input(call, callId, call.input !== undefined)),
    ofTerminal: (terminalId) => terminals.get(terminalId),
    deny(callId) {
      const call = calls.get(callId)
      if (call !== undefined) call.isDenied = true
    },
    hasOpen: () => calls.size > 0,
  }
}

/** Agents give a call a title for people; some name the tool, more only say of what kind it is. */
function startEvent(call: ToolCall, place: Place): StreamEvent {
  const { toolCallId: callId, title, kind, _meta, locations } = call
  const isKind = kind !== undefined && kind !== null && kind !== 'other'
  const name = call.name ?? _meta?.claudeCode?.toolName ?? (isKind ? kind : (title ?? kind ?? 'tool'))
  const acp = present({ kind, locations: locations?.length ? locations : undefined }) as JsonObject
  const kept = Object.keys(acp).length > 0 ? { meta: { acp } } : {}
  const shown = title && title !== name ? { title } : {}
  return { ...place, type: 'tool-start', callId, name, runBy: 'agent', ...shown, ...kept }
}

/** What a terminal has printed, in the words of those agents that say so beside the call. */
function terminalOutput({ place }: Call, callId: string, { _meta }: ToolCall): StreamEvent[] {
  const text = _meta?.terminal_output?.data
  return text ? [{ ...place, type: 'tool-progress', callId, channel: 'stdout', text }] : []
}

/** An input that is said anew once it was told. */
function revised({ hasInput, place, input }: Call, callId: string, isFull: boolean): StreamEvent[] {
  if (!hasInput || !isFull || input === undefined) return []
  return [{ ...place, type: 'tool-progress', callId, channel: 'data', data: { rawInput: input } }]
}

/** A result that comes before the call is said to be over. */
function early({ place }: Call, callId: string, rawOutput: Json | undefined): StreamEvent[] {
  if (rawOutput === undefined || rawOutput === null) return []
  return [{ ...place, type: 'tool-progress', callId, channel: 'data', data: rawOutput }]
}

/** Content that grows is told by what it grows by; other content is told whole. */
function growth(call: Call, callId: string): StreamEvent[] {
  const { content, place } = call
  if (content.length === 0) return []
  const text = textOf(content)
  call.isPlain = text !== undefined
  if (text === undefined || !text.startsWith(call.told)) {
    return [{ ...place, type: 'tool-progress', callId, channel: 'data', data: [...content] as never }]
  }
  const more = text.slice(call.told.length)
  call.told = text
  return more === '' ? [] : [{ ...place, type: 'tool-progress', callId, channel: 'text', text: more }]
}

/** A piece that was added: only it is new. */
function addition(call: Call, callId: string, { content, ...rest }: ToolContent): StreamEvent[] {
  const { place } = call
  if (content?.type !== 'text' || !call.isPlain) {
    call.isPlain = false
    return [{ ...place, type: 'tool-progress', callId, channel: 'data', data: { ...rest, content } as never }]
  }
  const text = call.content.length > 1 ? `\n${content.text}` : content.text
  call.told += text
  return [{ ...place, type: 'tool-progress', callId, channel: 'text', text }]
}

function outputEvents(call: Call, callId: string, isFailed: boolean, given: ToolCall): StreamEvent[] {
  const { content, rawOutput, place } = call
  const isBare = content.every(({ type }) => type === 'terminal') && (content.length === 0 || rawOutput !== undefined)
  const shown = isBare ? undefined : (textOf(content) ?? (content as unknown as Json))
  const output = shown ?? rawOutput ?? ''
  const rest = present({
    rawOutput: shown === undefined || rawOutput === shown ? undefined : rawOutput,
    title: given.title,
  }) as JsonObject
  const status: ToolStatus = call.isDenied && isFailed ? 'denied' : isFailed ? 'error' : 'ok'
  const event: EventOf<'tool-output'> = {
    ...place,
    type: 'tool-output',
    callId,
    status,
    output,
    ...(status === 'error' && { error: typeof output === 'string' && output !== '' ? output : 'The tool failed' }),
    ...(Object.keys(rest).length > 0 && { meta: { acp: rest } }),
  }
  const media = content.flatMap(({ content: piece }, index) =>
    piece === undefined ? [] : mediaEvents(piece, `${callId}:media-${index}`, place, callId),
  )
  return [...terminalOutput(call, callId, given), event, ...media]
}

/** The text of content that is nothing else. */
function textOf(content: readonly ToolContent[]): string | undefined {
  const texts = content.map(({ content: piece }) => (piece?.type === 'text' ? piece.text : undefined))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined
}

function isEmpty(input: Json | undefined): boolean {
  if (input === undefined || input === null) return true
  return typeof input === 'object' && Object.keys(input).length === 0
}
