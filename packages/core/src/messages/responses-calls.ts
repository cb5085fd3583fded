import type { ChatEvent, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { toolNameOf } from './ids.ts'
import { assistantText, type Drafted, ITEM_ID, type ResponsesContext } from './openai-responses.ts'
import { keptBy } from './provenance.ts'
import type { FileReference } from './request.ts'
import { responsesFile } from './responses-files.ts'
import type { OwnItemType, ResponsesItem } from './responses-types.ts'
import { type CallResult, inputObjectOf, lineOf, textOf } from './results.ts'

type Item = ResponsesItem<FileReference>

/** The id of the item of a call, if the API gave it one that it takes back. */
function itemIdOf({ meta }: ToolSegment): { readonly id?: string } {
  const { item_id: id } = keptBy('openai', meta)
  return typeof id === 'string' && ITEM_ID.test(id) ? { id } : {}
}

/** A call that the client or the agent runs. */
export function callItem(call: ToolSegment, { id: owner }: ChatEvent, { ids, losses }: ResponsesContext): Drafted {
  const { type, namespace, caller } = keptBy('openai', call.meta)
  const call_id = ids.idOf(call)
  const own = typeof type === 'string' && Object.hasOwn(clientItems, type) ? clientItems[type] : undefined
  if (own !== undefined) {
    const fields = own.call(call, call_id)
    const item: Item = { ...itemIdOf(call), ...fields, type: type as OwnItemType }
    return { item, unlinked: { ...fields, type: type as OwnItemType } }
  }
  const name = toolNameOf(call, owner, losses)
  const extra = { ...(typeof namespace === 'string' && { namespace }), ...(caller !== undefined && { caller }) }
  const unlinked: Item =
    type === 'custom_tool_call' && typeof call.input === 'string'
      ? { type, call_id, name, input: call.input }
      : { type: 'function_call', call_id, name, arguments: JSON.stringify(inputObjectOf(call)), ...extra }
  return { item: { ...itemIdOf(call), ...unlinked }, unlinked }
}

/** Tools of the API that the client runs: their items and those of their outputs. */
interface ClientItem {
  readonly call: (call: ToolSegment, callId: string) => JsonObject
  readonly output: (result: CallResult, callId: string) => JsonObject & { readonly type: OwnItemType }
}

const clientItems: { readonly [type: string]: ClientItem } = {
  computer_call: {
    call: ({ input, approval }, call_id) => ({
      ...(isJsonObject(input) ? input : {}),
      call_id,
      pending_safety_checks: approval?.request ?? [],
      status: 'completed',
    }),
    output: ({ text, value, call }, call_id) => ({
      type: 'computer_call_output',
      call_id,
      output: screenshotOf(value, text),
      ...(call.approval?.state === 'approved' && { acknowledged_safety_checks: call.approval.request ?? [] }),
    }),
  },
  local_shell_call: {
    call: ({ input }, call_id) => ({ call_id, action: input ?? {}, status: 'completed' }),
    output: ({ text }, id) => ({ type: 'local_shell_call_output', id, output: text }),
  },
  shell_call: {
    call: ({ input, meta }, call_id) => ({
      call_id,
      action: input ?? {},
      status: 'completed',
      ...environmentOf(keptBy('openai', meta)),
    }),
    output: ({ text, value, isError }, call_id) => ({
      type: 'shell_call_output',
      call_id,
      output: Array.isArray(value) ? value : [shellOutput(text, isError)],
    }),
  },
  apply_patch_call: {
    call: ({ input }, call_id) => ({ call_id, operation: input ?? {}, status: 'completed' }),
    output: ({ text, isError }, call_id) => ({
      type: 'apply_patch_call_output',
      call_id,
      status: isError ? 'failed' : 'completed',
      ...(text !== '' && { output: text }),
    }),
  },
  tool_search_call: {
    call: ({ input, meta }, call_id) => ({
      call_id,
      arguments: input ?? {},
      execution: keptBy('openai', meta).execution ?? 'client',
      status: 'completed',
    }),
    output: ({ value }, call_id) => ({
      type: 'tool_search_output',
      call_id,
      tools: Array.isArray(value) ? value : [],
      execution: 'client',
      status: 'completed',
    }),
  },
}

/** OpenAI Agents has the picture as `data`: an address, or base64. */
function screenshotOf(value: Json | undefined, text: string): JsonObject {
  if (!isJsonObject(value)) return { type: 'computer_screenshot', image_url: text }
  const { data } = value
  if (typeof data !== 'string') return value
  const image_url = /^(?:data|https?):/.test(data) ? data : `data:image/png;base64,${data}`
  return { type: 'computer_screenshot', image_url }
}

const environmentOf = ({ environment }: JsonObject) => (environment === undefined ? {} : { environment })

const shellOutput = (text: string, isError: boolean): JsonObject => ({
  stdout: isError ? '' : text,
  stderr: isError ? text : '',
  outcome: { type: 'exit', exit_code: isError ? 1 : 0 },
})

/** The output of a call. */
export function outputItem(result: CallResult, { id }: ChatEvent, { ids, losses }: ResponsesContext): Item {
  const { call, text, isError, files } = result
  const call_id = ids.idOf(call)
  const { type } = keptBy('openai', call.meta)
  const own = typeof type === 'string' && Object.hasOwn(clientItems, type) ? clientItems[type] : undefined
  if (own !== undefined) return own.output(result, call_id)
  const isCustom = type === 'custom_tool_call' && typeof call.input === 'string'
  const shown = isError ? [] : files.map((file) => responsesFile(file, () => losses.add('file', id)))
  const written = isError ? `Error: ${text}` : text
  const parts = [...(written === '' ? [] : [{ type: 'input_text' as const, text: written }]), ...shown]
  return {
    type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
    call_id,
    output: shown.length > 0 ? parts : written,
  }
}

/** How the item of a tool that the API ran is made again; the id is required in each. */
const providerItems: {
  readonly [type: string]: (call: ToolSegment, output: JsonObject, answer: ToolSegment) => JsonObject | undefined
} = {
  web_search_call: ({ input }, { status = 'completed', sources }) => ({
    action: { ...(isJsonObject(input) ? input : {}), ...(sources !== undefined && { sources }) },
    status,
  }),
  file_search_call: ({ input }, { status = 'completed', results }) => ({
    queries: (isJsonObject(input) ? input.queries : undefined) ?? [],
    status,
    ...(results !== undefined && { results }),
  }),
  code_interpreter_call: ({ input }, { status = 'completed', outputs }) => {
    const { container_id, code = null } = isJsonObject(input) ? input : {}
    return container_id === undefined ? undefined : { container_id, code, outputs: outputs ?? null, status }
  },
  mcp_call: (call, _output, answer) => ({
    ...(typeof answer.meta?.openai?.call_item_id === 'string' && { id: answer.meta.openai.call_item_id }),
    name: call.name,
    arguments: JSON.stringify(call.input ?? {}),
    server_label: call.server ?? '',
    ...(answer.error === undefined
      ? { output: textOf(answer.output ?? '') }
      : { error: answer.meta?.openai?.error ?? answer.error }),
  }),
}

/** Calls of the API itself whose output is an item of its own, each with an id that is demanded. */
const pairedItems: {
  readonly [type: string]: {
    readonly call: (call: ToolSegment) => JsonObject
    readonly output: (call: ToolSegment, answer: ToolSegment) => JsonObject & { readonly type: OwnItemType }
  }
} = {
  program: {
    call: ({ callId, input, meta }) => ({
      call_id: callId,
      code: (isJsonObject(input) ? input.code : undefined) ?? '',
      fingerprint: keptBy('openai', meta).fingerprint ?? '',
    }),
    output: ({ callId }, { output = '', state }) => ({
      type: 'program_output',
      call_id: callId,
      result: textOf(output),
      status: state === 'done' ? 'completed' : 'incomplete',
    }),
  },
  tool_search_call: {
    call: ({ input }) => ({ arguments: input ?? {}, call_id: null, execution: 'server', status: 'completed' }),
    output: (_call, { output }) => ({
      type: 'tool_search_output',
      call_id: null,
      tools: Array.isArray(output) ? output : [],
      execution: 'server',
      status: 'completed',
    }),
  },
}

const pairedItemOf = ({ meta }: ToolSegment) => {
  const { type } = keptBy('openai', meta)
  return typeof type === 'string' && Object.hasOwn(pairedItems, type) ? pairedItems[type] : undefined
}

/** Whether the call and its output are two items, which the API can be sent. */
export function isPaired(call: ToolSegment, answer: ToolSegment | undefined): boolean {
  const outputId = answer?.meta?.openai?.output_id
  return pairedItemOf(call) !== undefined && itemIdOf(call).id !== undefined && typeof outputId === 'string'
}

/** The item of such a call. */
export function pairedCall(call: ToolSegment): Drafted {
  const fields = { ...pairedItemOf(call)?.call(call), type: keptBy('openai', call.meta).type as OwnItemType }
  return { item: { ...itemIdOf(call), ...fields }, unlinked: undefined }
}

/** The item of its output. */
export function pairedOutput(call: ToolSegment, answer: ToolSegment): Drafted {
  const fields = pairedItemOf(call)?.output(call, answer)
  const item = { id: answer.meta?.openai?.output_id, ...fields } as Item
  return { item, unlinked: undefined }
}

/** The item of a tool that the API ran; undefined if it cannot be made again. */
export function providerItem(call: ToolSegment, answer: ToolSegment): Drafted | undefined {
  const { type } = keptBy('openai', call.meta)
  const { id } = itemIdOf(call)
  const make = typeof type === 'string' && Object.hasOwn(providerItems, type) ? providerItems[type] : undefined
  const output: Json = answer.output ?? {}
  const fields = id === undefined ? undefined : make?.(call, isJsonObject(output) ? output : {}, answer)
  if (fields === undefined || id === undefined) return undefined
  return {
    item: { id, ...fields, type: type as OwnItemType },
    unlinked: assistantText(lineOf(call, answer.output, answer.error)),
  }
}
