import type { Json } from '../../json.ts'
import { defined } from '../chunk-fields.ts'
import type { Chunk } from '../wire.ts'

/** A part of a message while it is built. An undefined field is an absent one. */
export type Part = { [field: string]: Json | undefined }

export interface ToolParts {
  readonly rows: { readonly [type: string]: (chunk: Chunk) => void }
  /** A step begins: a call that begins from now on is another part, even under the same id. */
  nextStep(): void
}

interface Call {
  readonly part: Part
  readonly step: number
  text: string
}

/** States in which the metadata of a chunk is that of the result. */
const RESULTS: ReadonlySet<string> = new Set(['output-available', 'output-error'])

/** The tool parts of a message, as the client builds them. Adds them to `parts`. */
export function createToolParts(parts: Part[]): ToolParts {
  const calls = new Map<string, Call>()
  /** The parts that show an approval, or have shown it, in their order. */
  const asked = new Map<string, Part[]>()
  let step = 0

  function begin({ toolCallId, toolName, dynamic, ...chunk }: Chunk, state: string): void {
    const existing = calls.get(String(toolCallId))
    if (existing !== undefined && existing.step === step) {
      existing.text = ''
      change(existing.part, chunk, state)
      existing.part.toolName = toolName
      return
    }
    const part: Part = dynamic
      ? { type: 'dynamic-tool', toolName, toolCallId }
      : { type: `tool-${toolName}`, toolCallId }
    change(part, chunk, state)
    parts.push(part)
    calls.set(String(toolCallId), { part, step, text: '' })
  }

  function later(chunk: Chunk, state: string): void {
    const part = calls.get(String(chunk.toolCallId))?.part
    if (part !== undefined) change(part, { ...chunk, input: part.input, title: part.title }, state)
  }

  function addInput({ toolCallId, inputTextDelta }: Chunk): void {
    const call = calls.get(String(toolCallId))
    if (call === undefined) return
    call.text += String(inputTextDelta)
    call.part.rawInput = call.text
  }

  function ask({ toolCallId, approvalId, approvalDescriptor: descriptor, reason: requestReason }: Chunk): void {
    const part = calls.get(String(toolCallId))?.part
    if (part === undefined) return
    part.state = 'approval-requested'
    part.approval = defined({ id: approvalId, descriptor: descriptor ?? undefined, requestReason })
    asked.set(String(approvalId), [...(asked.get(String(approvalId)) ?? []), part])
  }

  function answer({ approvalId, approved, reason, providerMetadata }: Chunk): void {
    const shows = ({ approval }: Part) => (approval as { readonly id?: string } | undefined)?.id === approvalId
    const part = asked.get(String(approvalId))?.find(shows)
    if (part === undefined) return
    part.state = 'approval-responded'
    part.approval = {
      ...(part.approval as object),
      approved: approved === true,
      ...(reason !== undefined && { reason }),
    }
    if (providerMetadata !== undefined) part.callProviderMetadata = providerMetadata
  }

  function deny({ toolCallId }: Chunk): void {
    const part = calls.get(String(toolCallId))?.part
    if (part !== undefined) part.state = 'output-denied'
  }

  return {
    rows: {
      'tool-input-start': (chunk) => begin(chunk, 'input-streaming'),
      'tool-input-delta': addInput,
      'tool-input-available': (chunk) => begin(chunk, 'input-available'),
      'tool-input-error': (chunk) => begin(chunk, 'output-error'),
      'tool-approval-request': ask,
      'tool-approval-response': answer,
      'tool-output-available': (chunk) => later(chunk, 'output-available'),
      'tool-output-error': (chunk) => later(chunk, 'output-error'),
      'tool-output-denied': deny,
    },
    nextStep() {
      step++
    },
  }
}

/** Every state has its own fields: those that the chunk does not have are gone. */
function change(part: Part, chunk: Partial<Chunk>, state: string): void {
  const { input, output, errorText, preliminary, providerExecuted, providerMetadata, title } = chunk
  Object.assign(part, { state, input, output, errorText, preliminary, rawInput: undefined })
  if (title !== undefined) part.title = title
  if (providerExecuted !== undefined) part.providerExecuted = providerExecuted
  if (providerMetadata === undefined) return
  if (RESULTS.has(state)) part.resultProviderMetadata = providerMetadata
  else part.callProviderMetadata = providerMetadata
}
