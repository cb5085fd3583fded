import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import { inputOf } from '../../data/tool-input.ts'
import type { RunBy } from '../../event-fields.ts'
import type { EventOf } from '../../events.ts'
import type { Json } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { isEmpty } from '../kit/keep.ts'
import type { Out } from '../kit/voice.ts'
import type { Fields } from './raw.ts'

/** The state of a call. Each part of it is emitted once, from whichever form has it first. */
interface CallState {
  /** After the output there is no input either. */
  hasInput: boolean
  hasOutput: boolean
  status: string | undefined
  /** The streamed code, for a tool that the provider runs. */
  code: string
}

/** The calls of a stream. A record and a segment give the same fields. */
export interface Calls {
  start(out: Out, fields: Fields): void
  inputDelta(out: Out, fields: Fields, text: string): void
  /** The arguments, as a value or as JSON text. Without any, the input is the streamed one. */
  input(out: Out, fields: Fields, args: Json | undefined): void
  output(out: Out, fields: Fields): void
  /** A call with all that is known of it. Empty arguments are not its input yet. */
  segment(out: Out, fields: Fields): void
  /** A tool that the provider runs itself. */
  builtIn(out: Out, fields: Fields): void
  codeDelta(out: Out, fields: Fields, text: string): void
  /** Asks a person. The result of the call also answers the question. */
  ask(out: Out, fields: Fields): void
}

/** The outcome of a built-in tool by its status. Any other status is progress. */
const ENDINGS: { readonly [status: string]: 'ok' | 'error' } = { completed: 'ok', failed: 'error' }

export function idOf({ id, tool_id, item_id }: Fields): string {
  const callId = id ?? tool_id ?? item_id
  if (typeof callId !== 'string') throw new TypeError('The call has no id.')
  return callId
}

/** `endBlock` ends the open block when a call starts. */
export function createCalls(endBlock: (out: Out) => void): Calls {
  const calls = new Map<string, CallState>()
  const questions = new Map<string, EventOf<'approval'>>()

  function callOf(out: Out, fields: Fields, name = fields.name ?? fields.tool_name, runBy: RunBy = 'agent'): CallState {
    const callId = idOf(fields)
    const existing = calls.get(callId)
    if (existing !== undefined) return existing
    const { server_label: server, display_name: title, started_at: sentAt } = fields
    endBlock(out)
    const details = present({ server, title: title === name ? undefined : title, sentAt })
    out.push({ type: 'tool-start', callId, name: name ?? 'unknown', runBy, ...details })
    return remember(calls, callId, { hasInput: false, hasOutput: false, status: undefined, code: '' })
  }

  const builtInOf = (out: Out, fields: Fields) => callOf(out, fields, /^.+(?=_call)/.exec(fields.type)?.[0], 'provider')

  function addDelta(out: Out, call: CallState, fields: Fields, text: string): void {
    if (!call.hasInput && text !== '') out.push({ type: 'tool-input-delta', callId: idOf(fields), text })
  }

  function addInput(out: Out, fields: Fields, args: Json | undefined): void {
    const call = callOf(out, fields)
    if (call.hasInput) return
    call.hasInput = true
    const input = typeof args === 'string' ? inputOf(args) : present({ input: args })
    out.push({ type: 'tool-input', callId: idOf(fields), ...input })
  }

  function addOutput(out: Out, fields: Fields): void {
    const call = callOf(out, fields)
    if (call.hasOutput) return
    call.hasInput = true
    call.hasOutput = true
    const { output, error, completed_at: sentAt } = fields
    const callId = idOf(fields)
    const failure = error && typeof error === 'object' ? JSON.stringify(error) : textIn(error)
    const status = failure === undefined ? 'ok' : 'error'
    answerQuestions(out, callId)
    const details = present({ error: failure, sentAt })
    out.push({ type: 'tool-output', callId, status, output: output ?? failure ?? null, ...details })
  }

  function answerQuestions(out: Out, answeredId: string): void {
    for (const question of [...questions.values()]) {
      if (question.callId !== answeredId) continue
      questions.delete(question.approvalId)
      out.push({ ...question, state: 'approved' })
    }
  }

  return {
    start: callOf,
    inputDelta: (out, fields, text) => addDelta(out, callOf(out, fields), fields, text),
    input: addInput,
    output: addOutput,
    segment(out, fields) {
      callOf(out, fields)
      if (hasContent(fields.args)) addInput(out, fields, fields.args)
      if ((fields.output ?? fields.error ?? undefined) !== undefined) addOutput(out, fields)
    },
    builtIn(out, fields) {
      const { status } = fields
      const call = builtInOf(out, fields)
      const ending = ENDINGS[status ?? '']
      const code = fields.code || (ending && call.code)
      const args = code ? { code } : fields.args
      if (hasContent(args)) addInput(out, fields, args)
      if (!status || status === call.status || call.hasOutput) return
      call.status = status
      if (ending !== undefined)
        addOutput(out, { ...fields, output: null, error: ending === 'error' ? `${fields.type} failed` : null })
      else if (status !== 'in_progress')
        out.push({ type: 'tool-progress', callId: idOf(fields), channel: 'data', data: { status } })
    },
    codeDelta(out, fields, text) {
      const call = builtInOf(out, fields)
      if (!call.hasInput) call.code += text
      addDelta(out, call, fields, text)
    },
    ask(out, fields) {
      const { tool_id, tool_name: name, server_label, arguments: args } = fields
      const approvalId = fields.approval_request_id ?? fields.item_id ?? tool_id
      const callId = tool_id && calls.has(tool_id) ? { callId: tool_id } : {}
      const request = present({ name, server_label, arguments: args }) as Json
      if (typeof approvalId !== 'string') throw new TypeError('The approval request has no id.')
      const question = { type: 'approval', approvalId, state: 'requested', request, ...callId } as const
      out.push(remember(questions, approvalId, question))
    },
  }
}

function hasContent(args: Json | undefined): boolean {
  if (args === undefined || args === null || args === '') return false
  return typeof args !== 'object' || !isEmpty(args)
}
