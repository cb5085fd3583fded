import type { Mutant } from '../mutant.ts'

const aiSdk = 'packages/core/src/parse/ai-sdk'

export const mutants: readonly Mutant[] = [
  {
    file: `${aiSdk}/subagent-parts.ts`,
    find: '    part.text = text\n',
    replace: '',
    promise: 'what a subagent says is read once, however often its part is repeated',
  },
  {
    file: `${aiSdk}/subagent-parts.ts`,
    find: '        part.text += data.delta\n',
    replace: '',
    promise: 'a delta of a subagent is not repeated by the part that follows it',
  },
  {
    file: `${aiSdk}/subagent-parts.ts`,
    find: ' && isText(data.delta) && open.has(data.id)) {',
    replace: ' && open.has(data.id)) {',
    promise: 'a part of an application with our name is kept',
  },
  {
    file: `${aiSdk}.ts`,
    find: 'ending.begin(out)',
    replace: 'ending.begin([])',
    promise: 'an error that ended a response is shown if another response follows',
  },
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
    promise: 'calls of the provider are distinguished from calls of the agent',
  },
  {
    file: `${aiSdk}/data.ts`,
    find: "if (state === 'live') return",
    replace: 'if (state !== undefined) return',
    promise: 'a subagent in data parts of Millrace ends',
  },
  {
    file: `${aiSdk}/ending.ts`,
    find: "outcome: outcome === 'cancelled' ? 'cancelled' : 'interrupted'",
    replace: "outcome: 'interrupted'",
    promise: 'a cancelled run is not read as interrupted',
  },
  {
    file: `${aiSdk}/calls.ts`,
    find: 'text.slice(before.length) : text',
    replace: 'text : text',
    promise: 'repeated progress is emitted once',
  },
  {
    file: `${aiSdk}/calls.ts`,
    find: 'if (!call?.isFromMillrace) out.push(...resultFiles(',
    replace: 'out.push(...resultFiles(',
    promise: 'a file that Millrace wrote beside the output of its call is read once',
  },
  {
    file: `${aiSdk}/ending.ts`,
    find: `raw ?? unified`,
    replace: `raw`,
    promise: 'a provider without a reason of its own has the common one',
  },
]
