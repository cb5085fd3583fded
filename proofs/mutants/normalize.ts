import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/normalize'

export const balance: Stage = {
  name: 'normalize: settle, balance',
  tests: [
    'test/laws-balance.test.ts',
    'test/conformance.test.ts',
    `${folder}/balance.test.ts`,
    `${folder}/balance/agent-ids.test.ts`,
    `${folder}/balance/questions.test.ts`,
    `${folder}/settle.test.ts`,
  ],
  only: 'balance|settle|ids of subagents|awaits input|comes again|parse: ',
  mutants: [
    {
      file: `${folder}/balance.ts`,
      find: "outcome === 'awaiting-input' && calls.isSettled()",
      replace: 'false',
      promise: 'a run whose questions are settled does not await input',
    },
    {
      file: `${folder}/balance/blocks.ts`,
      find: 'scopes().ensure(event) ?? event.messageId',
      replace: 'scopes().ensure(event)',
      promise: 'a block ends with its message, also if the message began after it',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: "call.runBy === 'client' && call.step === stepOf(call.agentId)",
      replace: "call.runBy === 'client'",
      promise: 'a call is not awaited once the model has gone on',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: "const stepOf = (agentId: string | undefined) => stepCounts.get(agentId ?? '') ?? 0",
      replace: 'const stepOf = (_agentId: string | undefined) => [...stepCounts.values()].length',
      promise: 'a step of a subagent answers no call of the main agent',
    },
    {
      file: `${folder}/balance/agent-ids.ts`,
      find: '(isStart ? undefined : ended.get(incomingId))',
      replace: 'ended.get(incomingId)',
      promise: 'a subagent that starts again after its end is another one',
    },
    {
      file: `${folder}/balance/agent-ids.ts`,
      find: '        ended.add(event.agentId, agentId)\n',
      replace: '',
      promise: 'a late event of a subagent that has ended belongs to it',
    },
    {
      file: `${folder}/balance/agent-ids.ts`,
      find: 'return open.get(event.parentAgentId) ?? ended.get(event.parentAgentId)',
      replace: 'return undefined',
      promise: 'a subagent names its parent as it was emitted',
    },
    {
      file: 'packages/core/src/data/tool-input.ts',
      find: "return { text, error: 'The input is not JSON.' }",
      replace: 'return { input: text }',
      promise: 'an input that is not JSON is text with an error',
    },
    {
      file: `${folder}/settle.ts`,
      find: 'if (!whole.startsWith(part, at)) return false',
      replace: '',
      promise: 'a text that differs from what was streamed is not dropped',
    },
    {
      file: `${folder}/settle.ts`,
      find: 'if (text !== undefined) texts.replace(event.blockId, text)',
      replace: '',
      promise: 'later texts are compared with the replaced text',
    },
    {
      file: `${folder}/settle.ts`,
      find: 'if (size <= max) return',
      replace: 'return',
      promise: 'what is kept for comparison is bounded',
    },
    {
      file: `${folder}/settle.ts`,
      find: 'finishInput(event.callId)\n',
      replace: '\n',
      promise: 'a streamed input is complete before its output',
    },
    {
      file: `${folder}/balance/blocks.ts`,
      find: '    recentBlocks.addNew(id, block)\n',
      replace: '',
      promise: 'no block id is used twice',
    },
    {
      file: `${folder}/balance/blocks.ts`,
      find: 'blocks.get(event.blockId) ?? reopen(event',
      replace: 'blocks.get(event.blockId) ?? recentBlocks.get(event.blockId) ?? reopen(event',
      promise: 'a delta after the end of its block opens another',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: '    if (call.hasInput) return\n',
      replace: '',
      promise: 'a call has one input',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: '        if (isAwaiting) continue\n',
      replace: '',
      promise: 'a call stays open if an answer is awaited',
    },
    {
      file: `${folder}/balance/calls.ts`,
      find: '        calls.delete(call.key)\n        send(asDecided(',
      replace: '        send(asDecided(',
      promise: 'a call has at most one output',
    },
    {
      file: `${folder}/balance/message-scopes.ts`,
      find: '    blocks.closeInMessage(message.id)\n',
      replace: '',
      promise: 'no block outlives its message',
    },
    {
      file: `${folder}/balance/message-scopes.ts`,
      find: 'close(key, message, isCut ? { interrupted: true } : {})',
      replace: 'close(key, message, {})',
      promise: 'a message that the run cut off is interrupted',
    },
    {
      file: `${folder}/balance.ts`,
      find: 'if (last.error !== undefined) scopes.ensureAssistant()',
      replace: '',
      promise: 'a run error has a message to be shown in',
    },
    {
      file: `${folder}/balance.ts`,
      find: 'runEnd = withoutAgent(event)',
      replace: 'runEnd ??= withoutAgent(event)',
      promise: 'the last outcome counts',
    },
    {
      file: `${folder}/balance.ts`,
      find: 'if (steps.delete(agent)) emit(event)',
      replace: 'emit(event)',
      promise: 'a step ends once',
    },
    {
      file: `${folder}/balance.ts`,
      find: "if (!isStarted && event.type !== 'run-start') startRun({ type: 'run-start' })",
      replace: '',
      promise: 'run-start comes first',
    },
  ],
}
