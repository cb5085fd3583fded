import type { StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { type Handlers, joined, SILENT, unmapped } from '../parser.ts'
import { argumentsOf, completeInput } from './calls.ts'
import { fileOf } from './files.ts'
import type { ItemRef, RawEvent, RawItem } from './raw.ts'
import { imageType } from './results.ts'
import { type Call, findSlot, type Run, type Slot } from './state.ts'

type CallType = Extract<
  RawEvent['type'],
  | `response.function_call${string}`
  | `response.mcp_call${string}`
  | `response.code_interpreter_call${string}`
  | `response.custom_tool_call${string}`
  | `response.apply_patch_call${string}`
  | `response.shell_call_command${string}`
  | 'response.shell_call_output_content.delta'
  | 'response.image_generation_call.partial_image'
>

type Rows = Pick<Handlers<RawEvent>, CallType>
type Events = readonly StreamEvent[]

interface TextDelta {
  readonly delta: string
}

/** The inputs of calls as they are streamed, and what their tools output while they run. */
export function callRows(run: Run): Rows {
  /** Applies an event to its call. If the call has no name yet or already has its input, only its end is read. */
  function withCall(raw: ItemRef, use: (call: Call, slot: Slot) => Events): Events {
    const slot = findSlot(run.response, raw)
    if (slot === undefined) return unmapped(raw)
    return slot.call === undefined || slot.call.hasInput ? SILENT : use(slot.call, slot)
  }

  const argumentsDelta = (raw: ItemRef & TextDelta) => withCall(raw, ({ id }) => inputDelta(id, raw.delta))
  const argumentsDone = (raw: ItemRef & { readonly arguments?: Json }) =>
    withCall(raw, (call) => (raw.arguments === '' ? SILENT : completeInput(call, argumentsOf(raw))))

  const codeDelta = (raw: ItemRef & TextDelta) =>
    withCall(raw, (call, { item }) => stringDelta(call, openObject(container(item), 'code'), raw.delta, '"}'))
  const codeDone = (raw: ItemRef & { readonly code?: string | null }) =>
    withCall(raw, (call, { item }) => {
      const { code } = raw
      return typeof code === 'string' ? completeInput(call, { input: { ...container(item), code } }) : []
    })

  const command = (raw: ItemRef & { readonly command_index?: number | null }, text: string) =>
    withCall(raw, (call) => {
      const isNext = call.strings > 0 && (raw.command_index ?? 0) >= call.strings
      if (!isNext) return stringDelta(call, '{"commands":["', text, '"]}')
      call.strings += 1
      return inputDelta(call.id, `","${escaped(text)}`)
    })

  return {
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
    'response.custom_tool_call_input.delta': (raw) => withCall(raw, (call) => stringDelta(call, '"', raw.delta, '"')),
    'response.custom_tool_call_input.done': (raw) =>
      withCall(raw, (call) => {
        const { input } = raw
        return typeof input === 'string' ? completeInput(call, { input }) : []
      }),
    'response.apply_patch_call_operation_diff.delta': (raw) =>
      withCall(raw, (call, { item }) => {
        const { diff: _diff, ...operation } = item.operation ?? {}
        return stringDelta(call, openObject(operation, 'diff'), raw.delta, '"}')
      }),
    'response.apply_patch_call_operation_diff.done': (raw) =>
      withCall(raw, (call, { item }) => {
        const { diff } = raw
        return typeof diff === 'string' ? completeInput(call, { input: { ...item.operation, diff } }) : []
      }),
    'response.shell_call_command.added': (raw) => command(raw, raw.command ?? ''),
    'response.shell_call_command.delta': (raw) => command(raw, raw.delta),
    /** More commands may follow: the item holds all of them. */
    'response.shell_call_command.done': (raw) => withCall(raw, () => SILENT),
    'response.shell_call_output_content.delta'(raw) {
      const callId = findSlot(run.response, raw)?.item.call_id
      if (typeof callId !== 'string') return unmapped(raw)
      const { stdout, stderr } = raw.delta
      return joined([shellOutput(callId, 'stdout', stdout), shellOutput(callId, 'stderr', stderr)])
    },
    'response.image_generation_call.partial_image'(raw) {
      const callId = findSlot(run.response, raw)?.call?.id
      const { partial_image_b64: image, partial_image_index: index, output_format } = raw
      if (callId === undefined || typeof image !== 'string') return unmapped(raw)
      return [fileOf(`${callId}:partial-${index ?? 0}`, imageType(output_format), image, callId)]
    },
  }
}

const container = ({ container_id: id }: RawItem) => (typeof id === 'string' ? { container_id: id } : {})

/** JSON up to the opening quote of its last field: an input that is not JSON is streamed as the JSON it becomes. */
function openObject(fields: { readonly [field: string]: Json }, last: string): string {
  const before = Object.entries(fields).map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)},`)
  return `{${before.join('')}${JSON.stringify(last)}:"`
}

/** A fragment of a string in that JSON; the first one follows the opening. */
function stringDelta(call: Call, opening: string, text: string, end: string): Events {
  if (typeof text !== 'string') throw new TypeError('A delta of an input has no text.')
  const isFirst = call.strings === 0
  if (isFirst) {
    call.strings = 1
    call.end = end
  }
  return inputDelta(call.id, isFirst ? `${opening}${escaped(text)}` : escaped(text))
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

function inputDelta(callId: string, text: string): Events {
  return text === '' ? SILENT : [{ type: 'tool-input-delta', callId, text }]
}

function shellOutput(callId: string, channel: 'stdout' | 'stderr', text: string | null | undefined): Events {
  if (text === '' || text === null) return SILENT
  return text === undefined ? [] : [{ type: 'tool-progress', callId, channel, text }]
}
