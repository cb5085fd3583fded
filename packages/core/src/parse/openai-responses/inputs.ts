import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { fileContent } from '../kit/file.ts'
import type { Out } from '../kit/voice.ts'
import { argumentsOf, completeInput, type Input } from './calls.ts'
import type { RawEvent, RawItem } from './raw.ts'
import { imageType } from './results.ts'
import { type Call, findSlot, type Row } from './state.ts'

type ReadCall = (out: Out, raw: RawEvent, call: Call, item: RawItem) => boolean

/** Applies an event to its call. If the call has no name yet or already has its input, only its end is read. */
const ofCall =
  (read: ReadCall): Row =>
  (out, raw, { response }) => {
    const slot = findSlot(response, raw)
    if (slot === undefined) return false
    return slot.call === undefined || slot.call.hasInput || read(out, raw, slot.call, slot.item)
  }

const silent = ofCall(() => true)
const argumentsDelta = ofCall((out, { delta }, { id }) => addDelta(out, id, delta))
const argumentsDone = ofCall((out, raw, call) => raw.arguments === '' || completeInput(out, call, argumentsOf(raw)))

/** More of an input that is one string in JSON. */
const stringDelta = (opening: (item: RawItem) => string, end: string) =>
  ofCall((out, { delta }, call, item) => addString(out, call, opening(item), delta, end))

/** The whole of such an input. */
const stringDone = (field: 'code' | 'input' | 'diff', inputOf: (text: string, item: RawItem) => Json) =>
  ofCall((out, raw, call, item) => {
    const text = raw[field]
    return typeof text === 'string' && completeInput(out, call, { input: inputOf(text, item) } as Input)
  })

const containerOf = ({ container_id }: RawItem) => (typeof container_id === 'string' ? { container_id } : {})
const codeDelta = stringDelta((item) => openObject(containerOf(item), 'code'), '"}')
const codeDone = stringDone('code', (code, item) => ({ ...containerOf(item), code }))

function operationOf({ operation }: RawItem): JsonObject {
  const { diff: _diff, ...rest } = operation ?? {}
  return rest
}

const command = (field: 'command' | 'delta') =>
  ofCall((out, raw, call) => {
    const text = raw[field] ?? ''
    const isNext = call.strings > 0 && (raw.command_index ?? 0) >= call.strings
    if (!isNext) return addString(out, call, '{"commands":["', text, '"]}')
    call.strings += 1
    return addDelta(out, call.id, `","${escaped(text)}`)
  })

/** The inputs of calls as they are streamed, and what their tools output while they run. */
export const inputRows: { readonly [type: string]: Row } = {
  'response.function_call_arguments.delta': argumentsDelta,
  'response.function_call_arguments.done': argumentsDone,
  'response.mcp_call_arguments.delta': argumentsDelta,
  'response.mcp_call_arguments.done': argumentsDone,
  'response.mcp_call.arguments_delta': argumentsDelta,
  'response.mcp_call.arguments_done': argumentsDone,
  'response.code_interpreter_call_code.delta': codeDelta,
  'response.code_interpreter_call_code.done': codeDone,
  'response.code_interpreter_call.code.delta': codeDelta,
  'response.code_interpreter_call.code.done': codeDone,
  'response.custom_tool_call_input.delta': stringDelta(() => '"', '"'),
  'response.custom_tool_call_input.done': stringDone('input', (input) => input),
  'response.apply_patch_call_operation_diff.delta': stringDelta((item) => openObject(operationOf(item), 'diff'), '"}'),
  'response.apply_patch_call_operation_diff.done': stringDone('diff', (diff, item) => ({ ...item.operation, diff })),
  'response.shell_call_command.added': command('command'),
  'response.shell_call_command.delta': command('delta'),
  /** More commands may follow: the item holds all of them. */
  'response.shell_call_command.done': silent,
  'response.shell_call_output_content.delta'(out, raw, { response }) {
    const callId = findSlot(response, raw)?.item.call_id
    const printed: unknown = raw.delta
    if (typeof callId !== 'string' || !isJsonObject(printed)) return false
    for (const channel of ['stdout', 'stderr'] as const) {
      const text = printed[channel]
      if (typeof text === 'string' && text !== '') out.push({ type: 'tool-progress', callId, channel, text })
    }
    return out.length > 0 || (printed.stdout !== undefined && printed.stderr !== undefined)
  },
  'response.image_generation_call.partial_image'(out, raw, { response }) {
    const callId = findSlot(response, raw)?.call?.id
    const { partial_image_b64: base64, partial_image_index: index, output_format } = raw
    if (callId === undefined || typeof base64 !== 'string') return false
    const content = fileContent({ base64 }, imageType(output_format))
    out.push({ type: 'file', fileId: `${callId}:partial-${index ?? 0}`, ...content, callId })
    return true
  },
}

/** JSON up to the opening quote of its last field: an input that is not JSON is streamed as the JSON it becomes. */
function openObject(fields: JsonObject, last: string): string {
  const before = Object.entries(fields).map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)},`)
  return `{${before.join('')}${JSON.stringify(last)}:"`
}

/** A fragment of a string in that JSON; the first one follows the opening. */
function addString(out: Out, call: Call, opening: string, text: string, end: string): true {
  if (typeof text !== 'string') throw new TypeError('A delta of an input has no text.')
  const isFirst = call.strings === 0
  if (isFirst) {
    call.strings = 1
    call.end = end
  }
  return addDelta(out, call.id, isFirst ? `${opening}${escaped(text)}` : escaped(text))
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

function addDelta(out: Out, callId: string, text: string): true {
  if (text !== '') out.push({ type: 'tool-input-delta', callId, text })
  return true
}
