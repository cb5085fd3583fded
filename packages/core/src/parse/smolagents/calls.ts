import { inputOf } from '../../data/tool-input.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { keep } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import { agentFile } from './content.ts'
import type { Call, CallDelta, ToolOutput } from './raw.ts'

/** A call of the step that is open. */
export interface OpenCall {
  readonly callId: string
  readonly name: string
  /** The id in the records, if it is not the call's own: code begins before its record. */
  recordId: string | undefined
  /** The code that was streamed; undefined for a call that is no code of a step. */
  readonly code: string[] | undefined
  /** The code or the arguments; undefined while they stream. */
  input: Json | undefined
  output: Json | undefined
}

/** Its input is a program, even if it looks like JSON. */
const INTERPRETER = 'python_interpreter'

/** The calls of one step. Ids are those of the stream; a call without one, and code, is identified by its position. */
export function createCalls(stepId: string) {
  const calls: OpenCall[] = []
  const byIndex = new Map<number, OpenCall>()

  function start(out: Out, id: string | null | undefined, name: string): OpenCall {
    return begin(out, id || `${stepId}:call-${calls.length}`, name, undefined)
  }

  /** The call that runs the code of the step. Its records follow once the code is written, or precede it. */
  function startCode(out: Out): OpenCall {
    const before = calls.filter(({ code }) => code !== undefined).length
    return begin(out, before === 0 ? `${stepId}:code` : `${stepId}:code-${before + 1}`, INTERPRETER, [])
  }

  function begin(out: Out, callId: string, name: string, code: string[] | undefined): OpenCall {
    const call = { callId, name, recordId: undefined, code, input: undefined, output: undefined }
    calls.push(call)
    out.push({ type: 'tool-start', callId: call.callId, name, runBy: 'agent' })
    return call
  }

  /** By its id; without an id, the first call of this name that still lacks the input or output. */
  function find({ id }: Call, name: string, lacking: 'input' | 'output'): OpenCall | undefined {
    return calls.find((call) => {
      if (id) return call.callId === id || call.recordId === id
      return call.name === name && call[lacking] === undefined
    })
  }

  /** Ends the input of code that was streamed: it is a JSON string. */
  function giveInput(out: Out, call: OpenCall, input: Json): void {
    const { callId, recordId } = call
    if (call.code !== undefined && call.code.length > 0) out.push({ type: 'tool-input-delta', callId, text: '"' })
    call.input = input
    out.push({ type: 'tool-input', callId, input, ...(recordId !== undefined && keep('smolagents', { id: recordId })) })
  }

  /** Code whose record did not come has the input that was streamed. */
  function finishCode(out: Out): void {
    for (const call of calls) {
      if (call.code !== undefined && call.input === undefined) giveInput(out, call, call.code.join(''))
    }
  }

  /** The call of a record of code: the one that was streamed, if it has no record yet. */
  function codeCall(out: Out, { id }: Call): OpenCall {
    const call = calls.find(({ code, input }) => code !== undefined && input === undefined) ?? startCode(out)
    call.recordId = id || undefined
    return call
  }

  function add(out: Out, raw: Call): OpenCall {
    const { name, input } = partsOf(raw)
    const existing = find(raw, name, 'input')
    if (existing?.input !== undefined) return existing
    const isCode = name === INTERPRETER && typeof input === 'string'
    const call = existing ?? (isCode ? codeCall(out, raw) : start(out, raw.id, name))
    giveInput(out, call, input)
    return call
  }

  function answer(out: Out, call: OpenCall, output: Omit<EventOf<'tool-output'>, 'type' | 'callId'>): void {
    call.output = output.output
    out.push({ type: 'tool-output', callId: call.callId, ...output })
  }

  /** The call that an error names has failed; if it names none, all open calls have. The others are cancelled. */
  function fail(out: Out, open: readonly OpenCall[], output: string, error: string): void {
    const named = open.filter(({ name }) => error.includes(`'${name}'`))
    const failedCalls = new Set(named.length > 0 ? named.slice(0, 1) : open)
    for (const call of open) {
      if (failedCalls.has(call)) answer(out, call, { status: 'error', output, error })
      else answer(out, call, { status: 'cancelled', output: null })
    }
  }

  return {
    addDelta(out: Out, { index, id, function: fragment }: CallDelta): void {
      const text = fragment?.arguments ?? ''
      const call = byIndex.get(index ?? 0) ?? start(out, id, fragment?.name ?? 'unknown')
      byIndex.set(index ?? 0, call)
      if (text !== '') out.push({ type: 'tool-input-delta', callId: call.callId, text })
    },
    add,
    /** Code as the model writes it. An empty text begins it. */
    addCode(out: Out, text: string): void {
      const call = calls.find(({ code, input }) => code !== undefined && input === undefined) ?? startCode(out)
      if (text === '') return
      const quote = call.code?.length === 0 ? '"' : ''
      call.code?.push(text)
      out.push({ type: 'tool-input-delta', callId: call.callId, text: quote + JSON.stringify(text).slice(1, -1) })
    },
    finishCode,
    /** Whether the step runs code, as far as its calls tell: a step without calls may. */
    mayRunCode: () => calls.every(({ code }) => code !== undefined),
    hasCode: () => calls.some(({ code }) => code !== undefined),
    addOutput(out: Out, raw: ToolOutput): void {
      const requested: Call = { ...raw.tool_call, id: raw.id || raw.tool_call?.id || null }
      const name = requested.function?.name ?? requested.name ?? 'unknown'
      const call = find(requested, name, 'output') ?? add(out, { name, ...requested })
      if (call.output !== undefined) return
      const { callId } = call
      const file = agentFile(raw.output, `${callId}:file`)
      answer(out, call, { status: 'ok', ...outputOf(raw, file !== undefined) })
      if (file !== undefined) out.push({ ...file, callId })
    },
    /** Answers the open calls of a finished step. Returns whether a call shows the error. */
    settle(out: Out, observations: string | null | undefined, error: string | undefined): boolean {
      finishCode(out)
      const open = calls.filter((call) => call.output === undefined)
      if (error !== undefined) fail(out, open, observations ?? error, error)
      else
        for (const [index, call] of open.entries())
          answer(out, call, { status: 'ok', output: index === 0 ? (observations ?? null) : null })
      return error !== undefined && open.length > 0
    },
    /** The value, or undefined if a call already has it as its input or output. */
    unlessHeld: (value: Json | undefined) =>
      calls.some(({ input, output }) => input === value || output === value) ? undefined : value,
    last: () => calls.at(-1)?.callId,
  }
}

function partsOf(raw: Call): { readonly name: string; readonly input: Json } {
  const { name = 'unknown', arguments: args } = raw.function ?? raw
  const isJson = typeof args === 'string' && name !== INTERPRETER && args.trimStart().startsWith('{')
  return { name, input: (isJson ? inputOf(args).input : undefined) ?? args ?? {} }
}

/** An output that is not JSON appears only as its observation; an observation that differs is kept as meta. */
function outputOf(
  { output, observation }: ToolOutput,
  isFile: boolean,
): Pick<EventOf<'tool-output'>, 'output' | 'meta'> {
  if (isFile || output === undefined || output === null) return { output: observation ?? null }
  const isSame = typeof output === 'string' && output.trim() === observation
  return { output, ...(!isSame && keep('smolagents', { observation })) }
}
