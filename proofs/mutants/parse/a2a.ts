import type { Mutant } from '../mutant.ts'

const a2a = 'packages/core/src/parse/a2a'

export const mutants: readonly Mutant[] = [
  {
    file: `${a2a}.ts`,
    find: 'if (!isAnswered(text)) draw(out, message)',
    replace: 'if (text !== "") draw(out, message)',
    promise: 'a last status that repeats the answer does not draw it again',
  },
  {
    file: `${a2a}.ts`,
    find: 'if (id === question) return',
    replace: '',
    promise: 'a question that is sent again is one question',
  },
  {
    file: `${a2a}.ts`,
    find: "out.push({ type: 'approval', approvalId: question, state: 'answered' })",
    replace: '',
    promise: 'a task that continues has its answer',
  },
  {
    file: `${a2a}.ts`,
    find: "end = { type: 'run-end', outcome: 'awaiting-input', reason: state }",
    replace: "end = { type: 'run-end', outcome: 'success' }",
    promise: 'a task that needs input awaits it',
  },
  {
    file: `${a2a}.ts`,
    find: 'if (text !== history) out.push',
    replace: 'out.push',
    promise: 'an equal history is one state',
  },
  {
    file: `${a2a}/artifacts.ts`,
    find: 'if (text.startsWith(kept.text)) {',
    replace: 'if (text === kept.text) {',
    promise: 'an artifact that is sent whole and longer continues its text',
  },
  {
    file: `${a2a}/artifacts.ts`,
    find: '!isPlainText(part) && !kept.others.has(JSON.stringify(part))',
    replace: '!isPlainText(part)',
    promise: 'what an artifact already had is not drawn again with it',
  },
  {
    file: `${a2a}/artifacts.ts`,
    find: 'if (voice.openId !== openId) kept.endedLength = kept.text.length',
    replace: '',
    promise: 'a corrected artifact rewrites its open block only',
  },
  {
    file: `${a2a}/parts.ts`,
    find: "return marked(marks, 'is_long_running') === true ? callId : undefined",
    replace: 'return undefined',
    promise: 'a question is about the call that waits for it',
  },
  {
    file: `${a2a}/parts.ts`,
    find: 'if (isError !== true) return undefined',
    replace: 'if (isError !== false) return undefined',
    promise: 'a call that failed by MCP has failed',
  },
  {
    file: `${a2a}/parts.ts`,
    find: 'sum(read.outputTokens, thoughts)',
    replace: 'sum(read.outputTokens)',
    promise: 'the tokens of thoughts count as output',
  },
  {
    file: `${a2a}/results.ts`,
    find: "role: isUser(role) ? 'user' : 'agent'",
    replace: "role: 'agent'",
    promise: 'what the person said is not an answer',
  },
  {
    file: `${a2a}/results.ts`,
    find: 'message = update, ',
    replace: 'message, ',
    promise: 'a status of 0.3 in JSON of proto has its message',
  },
  {
    file: `${a2a}/states.ts`,
    find: ".replace(/^TASK_STATE_/, '')",
    replace: '',
    promise: 'the states of 1.0 are those of 0.3',
  },
]
