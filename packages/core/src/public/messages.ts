/** A history becomes the messages of the next request to a provider. */
export { type AnthropicRequest, toAnthropicMessages } from '../messages/anthropic.ts'
export type * from '../messages/anthropic-types.ts'
export type * from '../messages/chat-types.ts'
export { chatVendors } from '../messages/chat-vendors.ts'
export { type GeminiRequest, toGemini } from '../messages/gemini.ts'
export type * from '../messages/gemini-types.ts'
export { type ModelRequest, toModelMessages } from '../messages/model-messages.ts'
export type * from '../messages/model-types.ts'
export { type ChatRequest, toOpenAIChat } from '../messages/openai-chat.ts'
export { type ResponsesRequest, toOpenAIResponses } from '../messages/openai-responses.ts'
export {
  type CallOutput,
  type FileReference,
  type LossKind,
  lossReasons,
  type MessageLoss,
  type MessageOptions,
  type MessageRequest,
  type NewInput,
} from '../messages/request.ts'
export type * from '../messages/responses-types.ts'
export { summaryOf } from '../messages/summary.ts'
export { type SpokenText, toTexts } from '../messages/texts.ts'
export { type LoadFile, withFiles } from '../messages/with-files.ts'
