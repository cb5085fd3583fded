import type { Mutant } from '../mutant.ts'

const acp = 'packages/core/src/parse/acp'

export const mutants: readonly Mutant[] = [
  {
    file: `${acp}/prose.ts`,
    find: 'open?.key === key ? open : begin(',
    replace: 'begin(',
    promise: 'chunks of one kind are one block',
  },
  {
    file: `${acp}/tools.ts`,
    find: 'if (isFull) call.input = rawInput as Json',
    replace: 'if (isFull) call.input ??= {}',
    promise: 'the last input before a call runs is its input',
  },
  {
    file: `${acp}/tools.ts`,
    find: "call.isDenied && isFailed ? 'denied' : isFailed",
    replace: 'isFailed',
    promise: 'a call that was refused is denied, not failed',
  },
  {
    file: `${acp}/rpc.ts`,
    find: "const isDenied = decision !== 'selected' || /reject|deny|disallow/i.test(kind)",
    replace: "const isDenied = decision !== 'selected'",
    promise: 'the kind of an option decides what it means',
  },
  {
    file: `${acp}.ts`,
    find: "if (typeof parent === 'string') return { agentId: parent }\n",
    replace: '',
    promise: 'content of a subagent is not content of the main agent',
  },
  {
    file: `${acp}/rpc.ts`,
    find: `toolCall ?? subject?.toolCall`,
    replace: `toolCall ?? undefined`,
    promise: 'a permission is about the call of its subject',
  },
  {
    file: `${acp}/tools.ts`,
    find: `call.content.length > 1 ? \`\\n\${content.text}\` : content.text`,
    replace: `content.text`,
    promise: 'each content of a call is a line of its own',
  },
  {
    file: `${acp}/state.ts`,
    find: `      failure = message\n`,
    replace: ``,
    promise: 'the failure of a turn is shown if another turn follows',
  },
  {
    file: `${acp}/prose.ts`,
    find: `others.slice(mediaCounts.get(key))`,
    replace: `others`,
    promise: 'a message that is sent again does not repeat its media',
  },
  {
    file: `${acp}/tools.ts`,
    find: 'isLast || isAsked || ',
    replace: 'isLast || ',
    promise: 'a call that is asked about has the input of the question',
  },
  {
    file: `${acp}/tools.ts`,
    find: "_meta?.phase === 'preparing' && ",
    replace: "_meta?.phase === 'none' && ",
    promise: 'a call that is only being prepared holds no response open',
  },
  {
    file: `${acp}/rpc.ts`,
    find: "const SESSION_FIELDS = ['modes', 'models', 'configOptions']",
    replace: "const SESSION_FIELDS = ['modes']",
    promise: 'the answer that opens a session again is understood',
  },
]
