import type { ChatEvent } from '@millrace/core/fold'
import type { JsonObject } from '@millrace/core/json'
import type { LoadFile } from '@millrace/core/messages'

/** A tool as a model is offered it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input, an object. */
  readonly parameters: JsonObject
}

/** What a model is asked: everything so far, and how it may answer. */
export interface Turn {
  readonly model: string
  /** The service behind the address, if it has rules of its own. */
  readonly vendor: string | undefined
  readonly instructions: string | undefined
  /** The conversation up to now, oldest first. */
  readonly chatEvents: readonly ChatEvent[]
  readonly tools: readonly OfferedTool[]
  /** Fields of the provider's API, as the definition of the agent has them: they win. */
  readonly options: JsonObject
  readonly load: LoadFile
}

/** The body of a request, and the messages in it, for a line about them. */
export interface Request<Body> {
  readonly body: Body
  readonly messages: readonly object[]
}

/** The instructions of the agent, then those of the conversation. */
export function systemOf({ instructions }: Turn, system: string | undefined): string | undefined {
  const texts = [instructions, system].filter((text) => text !== undefined && text !== '')
  return texts.length === 0 ? undefined : texts.join('\n\n')
}
