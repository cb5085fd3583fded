import type { ThreadEventOf } from '../../data/thread-event.ts'
import type { ChatEvent } from '../shapes.ts'
import { messageClosing, messageOpening, messageText } from './event-rows.ts'
import { type CreateNormalizer, createPipeline } from './pipeline.ts'

/** What an agent emits to its listeners: raw tokens as they arrive, then the content without thoughts. */
export type AgentNotice =
  | { readonly type: 'agent_token'; readonly token: string }
  | { readonly type: 'agent_response_complete'; readonly content: string }

/** One response of an agent, token by token. */
export interface AgentTurn {
  token(token: string): void
  /** The event to store. Its content is raw, with thoughts and tags, because the model gets it back unchanged. */
  complete(): ThreadEventOf<'AGENT_MESSAGE'>
}

export interface AgentTurnOptions {
  readonly id: string
  /** When the message begins, in ms. */
  readonly timestamp: number
  readonly createNormalizer: CreateNormalizer
  readonly emit: (notice: AgentNotice) => void
}

export function createAgentTurn({ id, timestamp, createNormalizer, emit }: AgentTurnOptions): AgentTurn {
  const pipeline = createPipeline(createNormalizer)
  pipeline.push(messageOpening({ id, role: 'assistant', kind: 'text' }), timestamp)
  let raw = ''
  return {
    token(token) {
      raw += token
      pipeline.push([messageText(id, token)], timestamp)
      emit({ type: 'agent_token', token })
    },
    complete() {
      pipeline.push(messageClosing(id), timestamp)
      emit({ type: 'agent_response_complete', content: cleanContent(pipeline.chatEvents()) })
      return { id, type: 'AGENT_MESSAGE', timestamp, data: raw }
    },
  }
}

function cleanContent(chatEvents: readonly ChatEvent[]): string {
  const texts = chatEvents.flatMap(({ segments }) =>
    segments.map((segment) => (segment.type === 'text' ? segment.text : '')),
  )
  return texts.join('')
}
