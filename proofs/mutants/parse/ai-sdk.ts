import type { Mutant } from '../mutant.ts'

const aiSdk = 'packages/core/src/parse/ai-sdk'

export const mutants: readonly Mutant[] = [
  {
    file: `${aiSdk}/blocks.ts`,
    find: 'const text = raw.delta ?? raw.text',
    replace: 'const text = raw.delta ?? ""',
    promise: 'a delta of fullStream is not lost',
  },
  {
    file: `${aiSdk}/calls.ts`,
    find: "return providerExecuted === true ? 'provider' : 'agent'",
    replace: "return 'agent'",
    promise: 'what the provider runs is told from what the agent runs',
  },
  {
    file: `${aiSdk}/data.ts`,
    find: "if (state === 'live') return",
    replace: 'if (state !== undefined) return',
    promise: 'a subagent that our own parts tell of ends',
  },
  {
    file: `${aiSdk}/ending.ts`,
    find: "outcome: outcome === 'cancelled' ? 'cancelled' : 'interrupted'",
    replace: "outcome: 'interrupted'",
    promise: 'a run that was cancelled was not merely interrupted',
  },
  {
    file: `${aiSdk}/preliminary-output.ts`,
    find: 'text.slice(before.length) : text',
    replace: 'text : text',
    promise: 'progress is told once, however often it is repeated',
  },
]
