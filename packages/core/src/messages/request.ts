import type { Json, JsonObject } from '../json.ts'

/** What every conversion of a history takes. All of it is optional; the same options suit every target. */
export interface MessageOptions {
  /**
   * The service that receives the request, if its rules differ from those of the API that it speaks: a row of
   * `chatVendors`, or `vertex`.
   */
  readonly vendor?: string
  /** The model of the request. Signed thoughts of other models are left out; if absent, only those of other providers. */
  readonly model?: string
  /** Whether thoughts that the model wrote between tags into its text go back as it wrote them. Default `drop`. */
  readonly thinkTags?: 'keep' | 'drop'
  /** How many turns are kept, counted from the end. A turn begins with a message of the user. Default all. */
  readonly lastTurns?: number
  /** Outputs of calls that have none in the history. */
  readonly outputs?: readonly CallOutput[]
  /** The new message of the user, which the history does not contain yet. */
  readonly input?: NewInput
  /** OpenAI Responses only: the responses are stored there, so that ids alone refer to their reasoning. Default false. */
  readonly isStored?: boolean
}

/** The output of a call, or the reason why there is none. */
export interface CallOutput {
  readonly callId: string
  readonly output?: Json
  readonly error?: string
}

export interface NewInput {
  readonly text: string
  readonly files?: readonly { readonly id: string; readonly mediaType: string; readonly filename?: string }[]
}

/** A file that is not part of the history itself: `withFiles` puts its content into the message. */
export interface FileReference {
  readonly type: 'file-reference'
  readonly fileId: string
  readonly mediaType: string
  readonly filename?: string
  /** Where the log keeps it, or an address that the provider does not open by itself. */
  readonly url?: string
}

/** What the request does not say although the history does. */
export interface MessageLoss {
  readonly what: LossKind
  /** The chat event that holds it. */
  readonly id: string
  readonly callId?: string
}

export type LossKind = keyof typeof lossReasons

/** The reason for each loss. */
export const lossReasons = {
  thinking: 'A thought that is not signed, or is signed by another model or provider, is refused.',
  'provider-tool': 'What a provider ran itself is one line of text for any other provider.',
  'unfinished-provider-tool': 'A call that the provider ran, and that has no result, is not repeated.',
  file: 'A file of this type, or in this position, is refused: a line of text names it.',
  'unknown-call': 'A result without its call is refused.',
  'call-id': 'The provider does not accept the id: the call has another one.',
  'tool-name': 'The provider does not accept the name: other characters are replaced by _.',
  'tool-input': 'The input was not JSON: the call has an empty one, and an error as its result.',
  interrupted: 'The call has no result: the request contains an error in its place.',
  beginning: 'A conversation begins with the user: a line stands for what is missing.',
  compacted: 'What a compaction stands for is left out.',
} as const

/** One conversion: the messages, and what belongs beside them in the request. */
export interface MessageRequest<Target extends string, Message> {
  readonly target: Target
  readonly messages: Message[]
  /** The text of the messages of the system, if the provider takes it beside the messages. */
  readonly system?: string
  /** Anthropic only: the container in which its code ran. */
  readonly container?: string
  readonly losses: readonly MessageLoss[]
}

/** Fields of a block that a provider defined: they go back as they came. */
export type Verbatim<Type extends string> = { readonly type: Type } & JsonObject
