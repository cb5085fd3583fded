import type { Mutant } from '../mutant.ts'

const threadEvents = 'packages/core/src/parse/thread-events'

export const mutants: readonly Mutant[] = [
  {
    file: `${threadEvents}/thoughts.ts`,
    find: 'content.slice(at + OPEN.length, end).trim() !== text.trim()',
    replace: 'content.slice(at + OPEN.length, end) !== text',
    promise: 'a thought that a message repeats with white space around it is shown once',
  },
  {
    file: `${threadEvents}/thoughts.ts`,
    find: '      from = end\n',
    replace: '',
    promise: 'each thought between tags repeats one thought',
  },
  {
    file: `${threadEvents}/thoughts.ts`,
    find: 'if (end === -1) return true',
    replace: 'if (end === -1) return false',
    promise: 'a thought is kept if the tag after it has no end',
  },
  {
    file: `${threadEvents}/raw.ts`,
    find: 'data: JSON.parse(data)',
    replace: 'data',
    promise: 'the row of a table holds its data as JSON text',
  },
  {
    file: `${threadEvents}.ts`,
    find: 'const named = ',
    replace: 'const named = undefined as ToolStatus | undefined; void ',
    promise: 'a call may be denied or stopped',
  },
  {
    file: `${threadEvents}.ts`,
    find: "if (blockId !== undefined) out.push({ type: 'block-patch', blockId, text: content })",
    replace: '',
    promise: 'the stored text is the whole of what was streamed',
  },
  {
    file: `${threadEvents}.ts`,
    find: 'if (first !== undefined && messageId === undefined) beginMessage(out, first.id)',
    replace: '',
    promise: 'a thought that no message follows is a message of its own',
  },
  {
    file: `${threadEvents}.ts`,
    find: ', ...present({ sentAt: lastAt })',
    replace: '',
    promise: 'a message ends with what it says last',
  },
  {
    file: `${threadEvents}.ts`,
    find: 'openCalls.size === 0 ? ',
    replace: 'true ? ',
    promise: 'a thread whose call has no result was interrupted',
  },
]
