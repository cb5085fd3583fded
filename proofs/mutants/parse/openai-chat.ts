import type { Mutant } from '../mutant.ts'

const chat = 'packages/core/src/parse/openai-chat'

export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/parse/openai-chat.ts',
    find: 'out.length > 0 || hasOddContent(chunk) ? out : SILENT',
    replace: 'out.length > 0 ? out : SILENT',
    promise: 'a chunk whose content has an unexpected type is kept',
  },
  {
    file: `${chat}/calls.ts`,
    find: 'return isOther ? undefined : call',
    replace: 'return call',
    promise: 'calls that share an index are distinguished by their ids',
  },
  {
    file: `${chat}/calls.ts`,
    find: "if (text === '' && !isNameWhole) return",
    replace: '',
    promise: 'a name that arrives in fragments is complete when the call starts',
  },
  {
    file: `${chat}/delta.ts`,
    find: 'if (detailed.length === 0) addPlain(',
    replace: 'addPlain(',
    promise: 'reasoning that is sent in two fields is read once',
  },
  {
    file: `${chat}/details.ts`,
    find: 'return isNothing ? before :',
    replace: 'return',
    promise: 'zeros after counts are ignored',
  },
  {
    file: `${chat}/response.ts`,
    find: 'if (hasVisibleContent(choice)) return differs || announces',
    replace: 'if (hasVisibleContent(choice)) return announces',
    promise: 'content under another id after the end of a response begins another response',
  },
  {
    file: `${chat}.ts`,
    find: 'if (usage !== undefined && isEmpty(chunk)) response.isCounted = true',
    replace: '',
    promise: 'a response without a finish reason ends with its usage',
  },
  {
    file: `${chat}/response.ts`,
    find: ' || speaker?.isWhole === true',
    replace: '',
    promise: 'a second whole completion with the id of the first is another answer',
  },
  {
    file: `${chat}/details.ts`,
    find: "    'prompt_cache_hit_tokens',\n",
    replace: '',
    promise: 'the cache hits of a vendor are cached tokens',
  },
  {
    file: `${chat}/details.ts`,
    find: "[['completion_tokens_details', 'reasoning_tokens'], 'reasoning_tokens']",
    replace: "[['completion_tokens_details', 'reasoning_tokens']]",
    promise: 'reasoning tokens beside the details are read',
  },
  {
    file: `${chat}/calls.ts`,
    find: 'const key = String(tool.index ?? position)',
    replace: 'const key = String(tool.index ?? 0)',
    promise: 'two executed tools without an index are two calls',
  },
  {
    file: `${chat}/details.ts`,
    find: 'textIn(message) ?? name ?? JSON.stringify(error)',
    replace: 'textIn(message) ?? JSON.stringify(error)',
    promise: 'an error without a message says its type',
  },
  {
    file: `${chat}/attachments.ts`,
    find: 'snippet: snippet ?? content',
    replace: 'snippet',
    promise: 'the content of a search result is its snippet',
  },
  {
    file: `${chat}/attachments.ts`,
    find: 'image.image_url ?? image.url',
    replace: 'image.image_url',
    promise: 'an image is found under each of its fields',
  },
  {
    file: 'packages/core/src/parse/openai-chat.ts',
    find: '    earlyUsage = undefined\n',
    replace: '',
    promise: 'usage that arrived before the first choice counts for the first response only',
  },
  {
    file: `${chat}.ts`,
    find: 'value !== seenFields?.get(field)?.value',
    replace: 'seenFields === undefined',
    promise: 'a new value beside a text that continues is reported',
  },
]
