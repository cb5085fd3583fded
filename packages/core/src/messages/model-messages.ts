import { concreteType } from '../data/image-type.ts'
import type { ChatEvent, Folded, ReasoningSegment, ToolSegment } from '../fold/shapes.ts'
import type { Json } from '../json.ts'
import { type AnyFile, contentOf, type FileContent, referenceTo } from './files.ts'
import { type CallIds, createCallIds, idRules } from './ids.ts'
import type { Losses } from './losses.ts'
import type { ModelFile, ModelJson, ModelMessage, ModelOutput, ModelResult, ProviderOptions } from './model-types.ts'
import { type AssistantMessage, type AssistantPart, type PlainMessage, plainMessagesOf } from './plain.ts'
import { isSameModel, keptBy, ownerOf } from './provenance.ts'
import { providerOptionsOf } from './provider-options.ts'
import type { FileReference, MessageOptions, MessageRequest } from './request.ts'
import { type CallResult, inputObjectOf } from './results.ts'

export type ModelRequest<File = never> = MessageRequest<'ai-sdk', ModelMessage<File>>

type Message = ModelMessage<FileReference>
type AssistantContent = Extract<Message, { role: 'assistant' }>['content'][number]

interface Context {
  readonly options: MessageOptions
  readonly losses: Losses
  readonly ids: CallIds
  readonly sent: Set<ToolSegment>
}

/** The messages for `streamText` and `generateText` of the AI SDK 7. */
export function toModelMessages(
  chatEvents: readonly ChatEvent[],
  options: MessageOptions = {},
): ModelRequest<FileReference> {
  const plain = plainMessagesOf(chatEvents, options)
  const { messages, losses } = plain
  const ids = createCallIds(idRules.openai, plain)
  const context: Context = { options, losses, ids, sent: new Set() }
  return {
    target: 'ai-sdk',
    messages: merged(messages.flatMap((message) => rowOf(message, context))),
    losses: losses.all(),
  }
}

function rowOf(message: PlainMessage, context: Context): readonly Message[] {
  if (message.role === 'system') return [{ role: 'system', content: message.text }]
  if (message.role === 'user') {
    const content = message.parts.map((part) =>
      part.kind === 'text' ? { type: 'text' as const, text: part.text } : modelFile(part.file),
    )
    return [{ role: 'user', content }]
  }
  const results = message.results.map((result) => toolResult(result, context))
  const files = message.results.flatMap((result) => result.files.map(modelFile))
  return [
    { role: 'assistant', content: message.parts.flatMap((part) => contentOfPart(part, message, context)) },
    { role: 'tool', content: results },
    { role: 'user', content: files },
  ]
}

function modelFile(file: AnyFile): ModelFile | FileReference {
  const content = contentOf(file)
  return content === undefined ? referenceTo(file) : modelPart(content, file)
}

/** The part of a file whose content is there. The AI SDK reports itself what its provider does not take. */
export function modelPart(content: FileContent, { filename }: { readonly filename?: string }): ModelFile {
  const named = filename === undefined ? {} : { filename }
  if (content.kind === 'url')
    return { type: 'file', data: new URL(content.url), mediaType: content.mediaType, ...named }
  const mediaType = concreteType(content.mediaType, content.bytes)
  return { type: 'file', data: content.bytes, mediaType, ...named }
}

const kept = (segment: Folded): { readonly providerOptions?: ProviderOptions } => {
  const providerOptions = providerOptionsOf(segment)
  return providerOptions === undefined ? {} : { providerOptions }
}

function contentOfPart(
  part: AssistantPart,
  { chatEvent }: AssistantMessage,
  context: Context,
): readonly AssistantContent[] {
  const { ids, losses, sent } = context
  switch (part.kind) {
    case 'text': {
      const options = kept(part.segment)
      return part.text === '' && options.providerOptions === undefined
        ? []
        : [{ type: 'text', text: part.text, ...options }]
    }
    case 'reasoning':
      return reasoning(part.segment, chatEvent, context)
    case 'call':
      return [{ ...toolCall(part.call, ids), ...kept(part.call) }]
    case 'provider-call':
      if (part.state === 'unfinished') {
        losses.add('unfinished-provider-tool', chatEvent.id, part.call.callId)
        return []
      }
      sent.add(part.call)
      return [{ ...toolCall(part.call, ids), providerExecuted: true, ...kept(part.call) }]
    case 'provider-result':
      return sent.has(part.call) ? [providerResult(part.call, part.answer, ids)] : []
    case 'file':
      return [{ ...modelFile(part.segment), ...kept(part.segment) }]
    default:
      return []
  }
}

/** A thought that nobody sealed is for services that take plain ones; if it was cut off, for nobody. */
function reasoning(
  segment: ReasoningSegment,
  chatEvent: ChatEvent,
  { options, losses }: Context,
): readonly AssistantContent[] {
  const { text, state, signature, encrypted } = segment
  const isSealed =
    signature !== undefined || encrypted !== undefined || keptBy('google', segment.meta).thoughtSignature !== undefined
  const isKept = isSealed ? isSameModel(options.model, chatEvent) : state === 'done' && text !== ''
  if (!isKept) {
    losses.add('thinking', chatEvent.id)
    return []
  }
  const owned = ownerOf(segment, chatEvent)
  return [
    {
      type: 'reasoning',
      text,
      ...kept(owned === undefined ? segment : { ...segment, meta: { [owned]: {}, ...segment.meta } }),
    },
  ]
}

const toolCall = (call: ToolSegment, ids: CallIds) => ({
  type: 'tool-call' as const,
  toolCallId: ids.idOf(call),
  toolName: call.name,
  input: inputObjectOf(call) as unknown,
})

function toolResult({ call, text, value, isError, isDenied }: CallResult, { ids }: Context): ModelResult {
  const output: ModelOutput = isDenied
    ? { type: 'execution-denied', reason: text }
    : isError
      ? { type: 'error-text', value: text }
      : outputOf(value ?? '')
  return { type: 'tool-result', toolCallId: ids.idOf(call), toolName: call.name, output }
}

const outputOf = (value: Json): ModelOutput =>
  typeof value === 'string' ? { type: 'text', value } : { type: 'json', value: value as ModelJson }

function providerResult(call: ToolSegment, answer: ToolSegment, ids: CallIds): ModelResult {
  const value = (answer.output ?? '') as ModelJson
  return {
    type: 'tool-result',
    toolCallId: ids.idOf(call),
    toolName: call.name,
    output: answer.state === 'failed' ? { type: 'error-json', value } : { type: 'json', value },
    ...kept(answer),
  }
}

/** Equal roles in a row are one message; no message is empty. */
function merged(messages: readonly Message[]): Message[] {
  const out: Message[] = []
  for (const message of messages) {
    const last = out.at(-1)
    if (message.content.length === 0) continue
    if (last?.role === message.role && typeof last.content !== 'string' && typeof message.content !== 'string')
      out.splice(-1, 1, { role: message.role, content: [...last.content, ...message.content] } as Message)
    else out.push(message)
  }
  return out
}
