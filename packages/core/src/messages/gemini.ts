import type { ChatEvent, FileSegment, ReasoningSegment, TextSegment, ToolSegment } from '../fold/shapes.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { withBeginning } from './beginning.ts'
import { geminiFile } from './gemini-files.ts'
import type { GeminiContent, GeminiPart } from './gemini-types.ts'
import { toolNameOf } from './ids.ts'
import type { Losses } from './losses.ts'
import { type AssistantMessage, type AssistantPart, type PlainMessage, plainMessagesOf } from './plain.ts'
import { isSameModel, keptBy, ownerOf } from './provenance.ts'
import type { FileReference, MessageOptions, MessageRequest } from './request.ts'
import { type CallResult, inputObjectOf, lineOf } from './results.ts'

export type GeminiRequest<File = never> = MessageRequest<'gemini', GeminiContent<File>>

type Content = GeminiContent<FileReference>
type Part = GeminiPart | FileReference

interface Context {
  readonly options: MessageOptions
  readonly losses: Losses
  /** The provider's calls that the contents hold. */
  readonly sent: Set<ToolSegment>
}

/** The contents of a request to Gemini. `vendor: 'vertex'` leaves out the ids of calls. */
export function toGemini(chatEvents: readonly ChatEvent[], options: MessageOptions = {}): GeminiRequest<FileReference> {
  const { messages, losses } = plainMessagesOf(chatEvents, options)
  const context: Context = { options, losses, sent: new Set() }
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : [])).join('\n\n')
  const contents = withBeginning(messages, losses).flatMap((message) => contentsOf(message, context))
  return {
    target: 'gemini',
    messages: merged(contents),
    ...(system !== '' && { system }),
    losses: losses.all(),
  }
}

function contentsOf(message: PlainMessage, context: Context): readonly Content[] {
  // Gemini takes the system's messages beside the contents.
  if (message.role === 'system') return []
  if (message.role === 'assistant') return assistantContents(message, context)
  const parts = message.parts.map((part) =>
    part.kind === 'text' ? { text: part.text } : geminiFile(part.file, () => context.losses.add('file', message.id)),
  )
  return [{ role: 'user', parts }]
}

function assistantContents(message: AssistantMessage, context: Context): readonly Content[] {
  const { chatEvent, results } = message
  const parts = withFiller(
    message.parts.flatMap((part) => partsOf(part, chatEvent, context)),
    context.options,
  )
  const responses = results.map((result) => responsePart(result, chatEvent, context))
  const files = results.flatMap((result) =>
    result.files.map((file) => geminiFile(file, () => context.losses.add('file', chatEvent.id))),
  )
  return [
    { role: 'model', parts },
    { role: 'user', parts: [...responses, ...files] },
  ]
}

/** What Gemini wants back with a part: the signature that came with it. */
function signatureOf(
  segment: TextSegment | ReasoningSegment | ToolSegment | FileSegment,
  chatEvent: ChatEvent,
  { options }: Context,
) {
  const isOwn = ownerOf(segment, chatEvent) === 'google' && isSameModel(options.model, chatEvent)
  const { thoughtSignature } = keptBy('google', segment.meta)
  const signature = thoughtSignature ?? (segment.type === 'reasoning' ? segment.signature : undefined)
  return isOwn && typeof signature === 'string' ? { thoughtSignature: signature } : {}
}

function partsOf(part: AssistantPart, chatEvent: ChatEvent, context: Context): readonly Part[] {
  const { losses, sent } = context
  switch (part.kind) {
    case 'text': {
      const signed = signatureOf(part.segment, chatEvent, context)
      return part.text === '' && signed.thoughtSignature === undefined ? [] : [{ text: part.text, ...signed }]
    }
    case 'reasoning': {
      const signed = signatureOf(part.segment, chatEvent, context)
      if (signed.thoughtSignature !== undefined) return [{ text: part.segment.text, thought: true, ...signed }]
      losses.add('thinking', chatEvent.id)
      return []
    }
    case 'call':
      return [callPart(part.call, chatEvent, context)]
    case 'provider-call':
      return providerCall(part, chatEvent, context)
    case 'provider-result':
      return sent.has(part.call) ? [providerResult(part, isSameModel(context.options.model, chatEvent))] : []
    case 'file': {
      const file = geminiFile(part.segment, () => losses.add('file', chatEvent.id))
      return 'fileId' in file ? [file] : [{ ...file, ...signatureOf(part.segment, chatEvent, context) }]
    }
    default:
      return []
  }
}

function callPart(call: ToolSegment, chatEvent: ChatEvent, context: Context): Part {
  const functionCall = {
    ...idOf(call, context),
    name: toolNameOf(call, chatEvent.id, context.losses),
    args: inputObjectOf(call),
  }
  return { functionCall, ...signatureOf(call, chatEvent, context) }
}

/** An id that the stream did not give is ours: Gemini finds the call by its position. */
function idOf({ callId }: ToolSegment, { options }: Context): { readonly id?: string } {
  return options.vendor === 'vertex' || callId.includes(':') ? {} : { id: callId }
}

function responsePart(result: CallResult, { id }: ChatEvent, context: Context): Part {
  const { call, text, value, isError } = result
  const name = toolNameOf(call, id, context.losses)
  const response = isError
    ? { error: text }
    : { output: typeof value === 'string' || value === undefined ? text : value }
  return { functionResponse: { ...idOf(call, context), name, response } }
}

function providerCall(
  { call, state }: Extract<AssistantPart, { kind: 'provider-call' }>,
  chatEvent: ChatEvent,
  context: Context,
): readonly Part[] {
  const { toolType } = keptBy('google', call.meta)
  const isOwn = ownerOf(call, chatEvent) === 'google' && (toolType !== undefined || call.name === 'code_execution')
  if (!isOwn || state !== 'answered') {
    context.losses.add(isOwn ? 'unfinished-provider-tool' : 'provider-tool', chatEvent.id, call.callId)
    return [{ text: lineOf(call, call.output, call.error) }]
  }
  context.sent.add(call)
  const signed = signatureOf(call, chatEvent, context)
  const id = call.callId.includes(':') ? {} : { id: call.callId }
  const input = inputObjectOf(call)
  return [
    toolType === undefined
      ? { executableCode: { ...id, ...input }, ...signed }
      : { toolCall: { ...id, toolType, args: input }, ...signed },
  ]
}

function providerResult(
  { call, answer }: Extract<AssistantPart, { kind: 'provider-result' }>,
  isOfModel: boolean,
): Part {
  const { toolType, outcome, responseSignature } = keptBy('google', answer.meta)
  const signed = isOfModel && typeof responseSignature === 'string' ? { thoughtSignature: responseSignature } : {}
  const id = call.callId.includes(':') ? {} : { id: call.callId }
  const output = answer.output ?? ''
  if (toolType === undefined)
    return { codeExecutionResult: { ...id, outcome: outcome ?? 'OUTCOME_OK', output }, ...signed }
  const response: JsonObject = isJsonObject(output) ? output : { output }
  return { toolResponse: { ...id, toolType, response }, ...signed }
}

/** What Gemini 3 accepts in place of the signature of a call that another model made. */
const FILLER = 'skip_thought_signature_validator'

/** The first call of a content is signed: newer models refuse it otherwise. */
function withFiller(parts: readonly Part[], { model = '' }: MessageOptions): Part[] {
  const first = parts.findIndex((part) => 'functionCall' in part)
  const isDemanded = /gemini-(?:[3-9]|\d\d)/i.test(model)
  return parts.map((part, index) =>
    isDemanded && index === first && !('thoughtSignature' in part) ? { ...part, thoughtSignature: FILLER } : part,
  )
}

/** Equal roles in a row are one content; no content is empty. */
function merged(contents: readonly Content[]): Content[] {
  const out: Content[] = []
  for (const { role, parts } of contents) {
    const last = out.at(-1)
    if (parts.length === 0) continue
    if (last?.role === role && !isResponse(parts)) out.splice(-1, 1, { role, parts: [...last.parts, ...parts] })
    else out.push({ role, parts })
  }
  return out
}

const isResponse = (parts: readonly Part[]) => parts.some((part) => 'functionResponse' in part)
