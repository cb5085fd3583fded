import { present } from '../../data/present.ts'
import { forgetOldest } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { EventOf, StreamEvent } from '../../events.ts'
import { isJsonObject, type Json } from '../../json.ts'
import { type Additive, type RawProgress, type Result, sentenceOf, type ToolCall } from './raw.ts'

interface OpenCall {
  readonly callId: string
  readonly name: string
  /** The number of running calls of the same tool at its start: it is nested in them. */
  readonly depth: number
  isAtWork?: true
  /** Its start preceded its arguments. */
  readonly isAnnounced?: true
}

/** The calls that have no result yet. Without ids they are identified by the name of their tool and their order. */
export interface Calls {
  call(raw: ToolCall): StreamEvent[]
  addProgress(raw: RawProgress): StreamEvent[]
  /** The marks are those of Millrace, if it wrote more than a result can hold. */
  result(raw: Result, marks?: Additive): StreamEvent[]
  /** Adds a call that has started and whose arguments follow. */
  announce(event: EventOf<'tool-start'>): void
  /** Forgets the calls of a run that has ended. */
  clear(): void
}

/** The maximum number of calls without a result: memory must stay bounded on an endless stream. */
const MAX_OPEN = 4096

export function createCalls(): Calls {
  const open = new Map<string, OpenCall>()
  let count = 0

  function start({ callId, toolName: name, parentCallId }: ToolCall): [OpenCall, StreamEvent[]] {
    if (typeof name !== 'string') throw new TypeError('A call has no name.')
    count++
    const depth = [...ofTool(name)].filter((other) => other.isAtWork).length
    const call: OpenCall = { callId: callId ?? `call-${count}`, name, depth }
    add(call)
    return [call, [{ type: 'tool-start', callId: call.callId, name, runBy: 'agent', ...present({ parentCallId }) }]]
  }

  function add(call: OpenCall): void {
    open.set(call.callId, call)
    forgetOldest(open, MAX_OPEN)
  }

  function* ofTool(name: string | undefined): Iterable<OpenCall> {
    for (const call of open.values()) if (call.name === name) yield call
  }

  /**
   * By its id; otherwise the deepest nested call of the tool, and the oldest of parallel calls. If there is none, a call
   * is started.
   */
  function find(raw: RawProgress): [OpenCall, StreamEvent[]] {
    if (raw.callId !== undefined) {
      const existing = open.get(raw.callId)
      return existing === undefined ? start({ toolName: 'unknown', ...raw }) : [existing, []]
    }
    let found: OpenCall | undefined
    for (const call of ofTool(raw.toolName)) if (found === undefined || call.depth > found.depth) found = call
    return found === undefined ? start(raw) : [found, []]
  }

  return {
    call(raw) {
      const existing = open.get(raw.callId ?? '')
      const [{ callId }, events] = existing?.isAnnounced ? [existing, []] : start(raw)
      return [...events, { type: 'tool-input', callId, ...argumentsOf(raw.toolArgs) }]
    },
    addProgress(raw) {
      const [call, events] = find(raw)
      call.isAtWork = true
      return [...events, { type: 'tool-progress', callId: call.callId, ...progressFields(raw.data) }]
    },
    result(raw, marks = {}) {
      const [{ callId }, events] = find(raw)
      open.delete(callId)
      const output = raw.output ?? sentenceOf(raw.error) ?? null
      const { status, error: markedError } = marks
      if (status !== undefined) {
        const errorField = typeof markedError === 'string' ? { error: markedError } : {}
        return [...events, { type: 'tool-output', callId, status, output, ...errorField }]
      }
      if (raw.isError !== true) return [...events, { type: 'tool-output', callId, status: 'ok', output }]
      const error = sentenceOf(raw.error) ?? (typeof output === 'string' ? output : JSON.stringify(output))
      return [...events, { type: 'tool-output', callId, status: 'error', output, error }]
    },
    announce: ({ callId, name }) => add({ callId, name, depth: 0, isAnnounced: true }),
    clear: () => open.clear(),
  }
}

function argumentsOf(toolArgs: Json | undefined): Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error'> {
  if (typeof toolArgs === 'string') return inputOf(toolArgs)
  return { input: toolArgs ?? {} }
}

type ProgressFields = Pick<EventOf<'tool-progress'>, 'channel' | 'text' | 'data' | 'percent'>

/** The channels of a command's output. */
const CHANNELS: { readonly [subtype: string]: 'stdout' | 'stderr' } = { stdout_chunk: 'stdout', stderr_chunk: 'stderr' }

/** Text, the output of a command and a percentage are read; other progress of a tool is data. */
function progressFields(data: Json | undefined): ProgressFields {
  if (typeof data === 'string') return { channel: 'text', text: data }
  if (!isJsonObject(data)) return { channel: 'data', data: data ?? null }
  const { subtype, content, percent, ...rest } = data as { readonly [field: string]: Json }
  const channel = CHANNELS[String(subtype)]
  if (channel !== undefined && typeof content === 'string' && percent === undefined && Object.keys(rest).length === 0) {
    return { channel, text: content }
  }
  return { channel: 'data', data, ...(typeof percent === 'number' && { percent }) }
}
