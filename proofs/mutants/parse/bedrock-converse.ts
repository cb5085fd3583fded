import type { Mutant } from '../mutant.ts'

const bedrock = 'packages/core/src/parse/bedrock-converse'

export const mutants: readonly Mutant[] = [
  {
    file: `${bedrock}/response.ts`,
    find: 'lingering?.index !== index - 1',
    replace: 'lingering?.index !== index + 1',
    promise: 'blocks of one word each are one text',
  },
  {
    file: `${bedrock}/blocks.ts`,
    find: "{ type: 'block-patch', blockId: block.id, signature, ...",
    replace: "{ type: 'block-patch', blockId: block.id, encrypted: signature, ...",
    promise: 'a signature is read as a signature',
  },
  {
    file: `${bedrock}/details.ts`,
    find: 'sum(inputTokens, counts.cacheReadTokens, counts.cacheWriteTokens)',
    replace: 'inputTokens',
    promise: 'cache reads and writes count as input',
  },
  {
    file: `${bedrock}/envelope.ts`,
    find: 'if (isJsonObject(value.event)) return recordByName(value.event)',
    replace: 'if (isJsonObject(value.event)) return undefined',
    promise: 'a record is taken out of every envelope',
  },
  {
    file: `${bedrock}.ts`,
    find: "cutCalls(reason === 'tool_use' ? [] : calls)",
    replace: 'cutCalls(calls)',
    promise: 'a response whose caller runs the tools awaits input',
  },
  {
    file: `${bedrock}.ts`,
    find: 'body.message ?? body.Message ?? originalMessage',
    replace: 'body.message ?? originalMessage',
    promise: 'the message of a failure is read in either case',
  },
  {
    file: `${bedrock}.ts`,
    find: 'response.hasStopped ? response : enter(out)',
    replace: 'enter(out)',
    promise: 'a second stop begins no message',
  },
  {
    file: `${bedrock}/blocks.ts`,
    find: 'textIn(location?.web?.url) ?? source, title',
    replace: 'textIn(location?.web?.url), title',
    promise: 'a cited document without a title is named by its source',
  },
  {
    file: `${bedrock}/blocks.ts`,
    find: 'names.start(toolUseId) : minted',
    replace: 'names.start(toolUseId) : name',
    promise: 'calls without an id are told apart',
  },
  {
    file: `${bedrock}/details.ts`,
    find: 'keep(filled({ cacheDetails: usage?.cacheDetails }))',
    replace: 'keep({ cacheDetails: usage?.cacheDetails })',
    promise: 'empty details of the cache are left out',
  },
  {
    file: 'packages/core/src/parse/bedrock-converse/blocks.ts',
    find: "typeof toolUseId === 'string' ? names.start(toolUseId)",
    replace: "typeof toolUseId === 'string' ? toolUseId",
    promise: 'a second call with the id of one that has no result is shown',
  },
]
