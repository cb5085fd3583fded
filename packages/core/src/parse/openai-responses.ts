import { createResponseReader } from './openai-responses/reader.ts'
import { recognize } from './openai-responses/recognize.ts'
import type { Parser } from './parser.ts'

/** OpenAI Responses, streamed or whole. One stream may hold several responses: the turns of an agent's loop. */
export const openaiResponses: Parser = {
  version: 3,
  losses: {
    'other-roles': 'A response holds only messages of the model.',
    retract: 'A message that has begun is never retracted.',
    subagents: 'A response is the work of one model.',
    'subagent-content': 'A response is the work of one model.',
    state: 'There is no shared state.',
    control: 'What the user requests is part of the next request.',
  },
  recognize,
  create: () => createResponseReader('client'),
}
