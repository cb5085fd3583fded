import type { Mutant } from '../mutant.ts'

const claude = 'packages/core/src/parse/claude-agent-sdk'

export const mutants: readonly Mutant[] = [
  {
    file: `${claude}.ts`,
    find: "if (typeof content !== 'string' && !Array.isArray(content)) return unmapped(line)",
    replace: "if (typeof content !== 'string' && !Array.isArray(content)) return SILENT",
    promise: 'a line without content is kept as raw',
  },
  {
    file: `${claude}/user-lines.ts`,
    find: "typeof message === 'string' || Array.isArray(message.content)",
    replace: "typeof message === 'string' || message !== null",
    promise: 'a user line without content is kept as raw',
  },
  {
    file: `${claude}/recognize.ts`,
    find: '? FOREIGN : 0',
    replace: '? ALIKE : 0',
    promise: 'a session of another program is not recognised as Claude Code',
  },
  {
    file: `${claude}/assistant.ts`,
    find: 'if (streamed === undefined) return newBlock(message, block)',
    replace: 'if (streamed === undefined || text !== "") return newBlock(message, block)',
    promise: 'a whole line does not repeat what was streamed',
  },
  {
    file: `${claude}/threads.ts`,
    find: 'if (agentId === undefined) return main',
    replace: "if (agentId !== '') return main",
    promise: 'a subagent and the main agent do not share messages',
  },
  {
    file: `${claude}/lines.ts`,
    find: 'isLast: remaining === 0',
    replace: 'isLast: false',
    promise: 'a superseded message is retracted',
  },
  {
    file: `${claude}/tasks.ts`,
    find: 'if (isSubagent(callId) && runsOn)',
    replace: 'if (isSubagent(callId) && !runsOn)',
    promise: 'a subagent in the background ends with its task',
  },
  {
    file: `${claude}/stream.ts`,
    find: 'return call?.hasInput || call?.isAnswered ? [] : [event]',
    replace: 'return [event]',
    promise: 'a call has one input, whichever line has it first',
  },
  {
    file: `${claude}/endings.ts`,
    find: '      ending = undefined\n',
    replace: '',
    promise: 'a turn that was cut off is not a success because the turn before was one',
  },
  {
    file: `${claude}/result.ts`,
    find: "scope: 'run', mode: 'add'",
    replace: "scope: 'run', mode: 'snapshot'",
    promise: 'the tokens of turns add up',
  },
]
