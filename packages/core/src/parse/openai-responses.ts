import { createResponseReader } from './openai-responses/reader.ts'
import { recognize } from './openai-responses/recognize.ts'
import type { Parser } from './parser.ts'

/** OpenAI Responses, streamed or whole. One stream may hold several responses: the turns of an agent's loop. */
export const openaiResponses: Parser = {
  version: 2,
  losses: {
    'other-roles': 'Only the model speaks in a response.',
    retract: 'A message that has begun stays.',
    subagents: 'A response is the work of one model.',
    'subagent-content': 'A response is the work of one model.',
    state: 'There is no shared state.',
    control: 'What a person asks for goes into the next request.',
  },
  recognize,
  create: () => createResponseReader('client'),
}
