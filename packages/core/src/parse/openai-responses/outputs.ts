import { present } from '../../data/present.ts'
import { rememberOne } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import type { Json, JsonObject } from '../../json.ts'
import { SILENT } from '../parser.ts'
import { answerApproval } from './calls.ts'
import type { RawItem } from './raw.ts'
import { errorText, outputEvent } from './results.ts'
import type { Run } from './state.ts'

type OutputOf = (item: RawItem) => Json

const ownOutput: OutputOf = ({ output }) => output ?? ''

/** Items that answer a call of another item and hold their outputs elsewhere. */
const outputs: { readonly [type: string]: OutputOf } = {
  tool_search_output: ({ tools, output }) => (tools as Json | undefined) ?? output ?? [],
  program_output: ({ result, output }) => (result as Json | undefined) ?? output ?? '',
}

export function isOutput(type: string): boolean {
  return Object.hasOwn(outputs, type) || type.endsWith('_call_output')
}

/** A call gets one output, however often the stream repeats it. */
export function outputOf(run: Run, item: RawItem): readonly StreamEvent[] {
  const callId = callOf(run, item)
  if (callId === undefined) throw new TypeError('An output names no call.')
  if (run.answeredCalls.has(callId)) return SILENT
  const output = (outputs[item.type] ?? ownOutput)(item)
  const isDenied = run.pendingApprovals.has(callId) && output === NOT_APPROVED
  const answer = run.pendingApprovals.has(callId)
    ? answerApproval(run, callId, { state: isDenied ? 'denied' : 'approved' })
    : []
  rememberOne(run.answeredCalls, callId)
  run.response.unanswered.delete(callId)
  if (isDenied) return [...answer, { type: 'tool-output', callId, status: 'denied', output }]
  return [...answer, outputEvent(callId, output, failureOf(item, output))]
}

/** The output of an agent's loop for a call that was denied. */
const NOT_APPROVED = 'Tool execution was not approved.'

/** The call that an output answers: a tool search may be unnamed, and a local shell call is named by `id`. */
export function callOf({ response }: Run, { type, call_id, id }: RawItem): string | undefined {
  if (type !== 'tool_search_output' || call_id) return call_id || id || undefined
  const [first] = response.searches
  if (first !== undefined) response.searches.delete(first)
  return first
}

function failureOf({ status, error }: RawItem, output: Json): string | undefined {
  if (error !== null && error !== undefined) return errorText(error)
  if (status !== 'failed' && status !== 'incomplete') return undefined
  return typeof output === 'string' && output !== '' ? output : 'The call failed'
}

/** The answer to an approval request of an MCP server. A denied call has no other output. */
export function approvalResponse(run: Run, item: RawItem): StreamEvent[] {
  const { approval_request_id: id, approve, reason } = item
  if (typeof id !== 'string') throw new TypeError('An answer names no approval request.')
  const message = typeof reason === 'string' && reason !== '' ? { message: reason } : {}
  if (approve === true) return answerApproval(run, id, { state: 'approved', ...message })
  rememberOne(run.answeredCalls, id)
  const deniedOutput: StreamEvent = {
    type: 'tool-output',
    callId: id,
    status: 'denied',
    output: present({ reason }) as JsonObject,
  }
  return [...answerApproval(run, id, { state: 'denied', ...message }), deniedOutput]
}
