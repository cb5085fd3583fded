import { present } from '../../data/present.ts'
import { forgetOldest } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import { progressFields } from '../../data/tool-progress.ts'
import type { EventOf } from '../../events.ts'
import { isText, type Json } from '../../json.ts'
import type { Out } from '../kit/voice.ts'
import type { Additive } from './additive.ts'

/** The fields of an event, as far as they are read. Each type has some of them; the first servers send no ids. */
export interface RawEvent {
  readonly type: string
  readonly content?: string
  readonly toolName?: string
  /** JSON in a string; later servers send the value itself. */
  readonly toolArgs?: Json
  readonly data?: Json
  readonly output?: Json | undefined
  readonly isError?: boolean | null
  readonly error?: Failure
  readonly reason?: string | null
  readonly callId?: string
  readonly parentCallId?: string
  readonly runId?: string
  readonly seq?: number
  readonly at?: number | string
  readonly millrace?: Additive
}

type Failure = string | { readonly message?: string; readonly code?: string } | null

/** The message of an error, which is a string or an object. */
export function sentenceOf(error: Failure | undefined): string | undefined {
  const sentence = typeof error === 'string' ? error : error?.message
  return sentence === '' ? undefined : sentence
}

/** The content of a text or thought. */
export function textOf(content: string | undefined): string {
  if (typeof content !== 'string') throw new TypeError('The content is not a string.')
  return content
}

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
  pushCall(out: Out, raw: RawEvent): void
  pushProgress(out: Out, raw: RawEvent): void
  /** The marks are those of Millrace, if it wrote more than a result can hold. */
  pushResult(out: Out, raw: RawEvent, marks?: Additive): void
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

  function start(out: Out, { callId: ownId, toolName: name, parentCallId }: Omit<RawEvent, 'type'>): OpenCall {
    if (typeof name !== 'string') throw new TypeError('A call has no name.')
    count++
    const callId = ownId ?? `call-${count}`
    const call: OpenCall = { callId, name, depth: [...ofTool(name)].filter((other) => other.isAtWork).length }
    add(call)
    out.push({ type: 'tool-start', callId, name, runBy: 'agent', ...present({ parentCallId }) })
    return call
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
  function find(out: Out, raw: RawEvent): OpenCall {
    if (raw.callId !== undefined) return open.get(raw.callId) ?? start(out, { toolName: 'unknown', ...raw })
    let found: OpenCall | undefined
    for (const call of ofTool(raw.toolName)) if (found === undefined || call.depth > found.depth) found = call
    return found ?? start(out, raw)
  }

  return {
    pushCall(out, raw) {
      const existing = open.get(raw.callId ?? '')
      const { callId } = existing?.isAnnounced ? existing : start(out, raw)
      out.push({ type: 'tool-input', callId, ...argumentsOf(raw.toolArgs) })
    },
    pushProgress(out, raw) {
      const call = find(out, raw)
      call.isAtWork = true
      out.push({ type: 'tool-progress', callId: call.callId, ...progressFields(raw.data) })
    },
    pushResult(out, raw, { status: markedStatus, error: markedError } = {}) {
      const { callId } = find(out, raw)
      open.delete(callId)
      const output = raw.output ?? sentenceOf(raw.error) ?? null
      const outputText = typeof output === 'string' ? output : JSON.stringify(output)
      const status = markedStatus ?? (raw.isError === true ? 'error' : 'ok')
      const ownError = status === 'error' ? (sentenceOf(raw.error) ?? outputText) : undefined
      const error = markedStatus === undefined ? ownError : isText(markedError) ? markedError : undefined
      out.push({ type: 'tool-output', callId, status, output, ...present({ error }) })
    },
    announce: ({ callId, name }) => add({ callId, name, depth: 0, isAnnounced: true }),
    clear: () => open.clear(),
  }
}

function argumentsOf(toolArgs: Json | undefined): Pick<EventOf<'tool-input'>, 'input' | 'text' | 'error'> {
  if (typeof toolArgs === 'string') return inputOf(toolArgs)
  return { input: toolArgs ?? {} }
}
