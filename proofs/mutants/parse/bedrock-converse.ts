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
    file: `${bedrock}/deltas.ts`,
    find: "[{ type: 'block-patch', blockId: block.id, signature }]",
    replace: "[{ type: 'block-patch', blockId: block.id, encrypted: signature }]",
    promise: 'a signature is read as a signature',
  },
  {
    file: `${bedrock}/details.ts`,
    find: 'inputs.reduce((sum, count) => sum + count, 0)',
    replace: 'inputs[0]',
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
    find: "unanswered.size > 0 && reason === 'tool_use' ? 'awaiting-input' : 'success'",
    replace: "unanswered.size > 0 ? 'success' : 'success'",
    promise: 'a response whose caller runs the tools awaits input',
  },
]
