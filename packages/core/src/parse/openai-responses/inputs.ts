import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import { textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import type { Out } from '../kit/voice.ts'
import { argumentsOf, completeInput } from './calls.ts'
import type { CommandFields, ItemRef, RawItem } from './raw.ts'
import { imageType } from './results.ts'
import { type Call, findSlot, type Rows, type Run } from './state.ts'

/** Applies an event to its call. If the call has no name yet or already has its input, only its end is read. */
const ofCall =
  <Raw extends ItemRef>(read: (out: Out, raw: Raw, call: Call, item: RawItem) => unknown) =>
  (out: Out, raw: Raw, { response }: Run): unknown => {
    const slot = findSlot(response, raw.item_id, raw.output_index)
    if (slot === undefined) return false
    return slot.call === undefined || slot.call.hasInput || read(out, raw, slot.call, slot.item)
  }

type Delta = ItemRef & { readonly delta: string }
type Whole = ItemRef & { readonly [field in 'code' | 'input' | 'diff']?: string | null }

const argumentsDelta = ofCall<Delta>((out, { delta }, { id }) => addDelta(out, id, delta))
const argumentsDone = ofCall<ItemRef & { readonly arguments?: Json }>(
  (out, raw, call) => raw.arguments === '' || completeInput(out, call, argumentsOf(raw)),
)

/** More of an input that is one string in JSON. */
const stringDelta = (opening: (item: RawItem) => string, end: string) =>
  ofCall<Delta>((out, { delta }, call, item) => addString(out, call, opening(item), delta, end))

/** The whole of such an input. */
const stringDone = (field: keyof Whole & ('code' | 'input' | 'diff'), inputOf: (text: string, item: RawItem) => Json) =>
  ofCall<Whole>((out, raw, call, item) => {
    const text = raw[field]
    return typeof text === 'string' && completeInput(out, call, { input: inputOf(text, item) })
  })

const containerOf = ({ container_id }: RawItem) => (typeof container_id === 'string' ? { container_id } : {})
const codeDelta = stringDelta((item) => openObject(containerOf(item), 'code'), '"}')
const codeDone = stringDone('code', (code, item) => ({ ...containerOf(item), code }))

function operationOf({ operation }: RawItem): JsonObject {
  const { diff: _diff, ...rest } = operation ?? {}
  return rest
}

const command = ofCall<ItemRef & CommandFields>((out, raw, call) => {
  const text = raw.command ?? raw.delta ?? ''
  const isNext = call.strings > 0 && (raw.command_index ?? 0) >= call.strings
  if (!isNext) return addString(out, call, '{"commands":["', text, '"]}')
  call.strings += 1
  return addDelta(out, call.id, `","${escaped(text)}`)
})

/** The inputs of calls as they are streamed, and what their tools output while they run. */
export const inputRows = {
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
  'response.shell_call_command.added': command,
  'response.shell_call_command.delta': command,
  /** More commands may follow: the item holds all of them. */
  'response.shell_call_command.done': ofCall(() => true),
  'response.shell_call_output_content.delta'(out, raw, { response }) {
    const callId = findSlot(response, raw.item_id, raw.output_index)?.item.call_id
    const printed = raw.delta
    if (typeof callId !== 'string' || !isJsonObject(printed)) return false
    for (const channel of ['stdout', 'stderr'] as const) {
      const text = textIn(printed[channel])
      if (text !== undefined) out.push({ type: 'tool-progress', callId, channel, text })
    }
    return printed.stdout !== undefined && printed.stderr !== undefined
  },
  'response.image_generation_call.partial_image'(out, raw, { response }) {
    const callId = findSlot(response, raw.item_id, raw.output_index)?.call?.id
    const { partial_image_b64: base64, partial_image_index: index, output_format } = raw
    if (callId === undefined || typeof base64 !== 'string') return false
    const content = fileContent({ base64 }, imageType(output_format))
    out.push({ type: 'file', fileId: `${callId}:partial-${index ?? 0}`, ...content, callId })
    return true
  },
} satisfies Partial<Rows>

/** JSON up to the opening quote of its last field: an input that is not JSON is streamed as the JSON it becomes. */
function openObject(fields: JsonObject, last: string): string {
  const before = Object.entries(fields).map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)},`)
  return `{${before.join('')}${JSON.stringify(last)}:"`
}

/** A fragment of a string in that JSON; the first one follows the opening. */
function addString(out: Out, call: Call, opening: string, text: string, end: string): void {
  if (typeof text !== 'string') throw new TypeError('A delta of an input has no text.')
  const isFirst = call.strings === 0
  if (isFirst) {
    call.strings = 1
    call.end = end
  }
  addDelta(out, call.id, isFirst ? `${opening}${escaped(text)}` : escaped(text))
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

function addDelta(out: Out, callId: string, text: string): void {
  if (text !== '') out.push({ type: 'tool-input-delta', callId, text })
}
