import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/wire/ag-ui/usage.ts',
    find: 'reported[count] = total[count] ?? 0',
    replace: 'reported[count] = more',
    promise: 'each count is reported once, however often the run pauses',
  },
  {
    file: 'packages/core/src/wire/ag-ui/agents.ts',
    find: '    nesting.endAgent(agentId)\n',
    replace: "    if (status === 'done') nesting.endAgent(agentId)\n",
    promise: 'a subagent that has failed does not begin again after a pause',
  },
  {
    file: 'packages/core/src/wire/ag-ui/stream.ts',
    find: 'const parentRunId = currentId',
    replace: 'const parentRunId = runId',
    promise: 'each run of the protocol continues the one before it',
  },
  {
    file: 'packages/core/src/wire/ag-ui/tools.ts',
    find: 'parents.endGroup(call.agentId)',
    replace: 'parents.endGroup(event.agentId)',
    promise: 'a call after a result belongs to another message',
  },
  {
    file: `${folder}/responses.ts`,
    find: 'units === 0 && open.size > 0',
    replace: 'open.size > 0',
    promise: 'no run finishes while something is open',
  },
  {
    file: `${folder}/ag-ui/stream.ts`,
    find: '    for (const chunk of nesting.suspend(interrupts)) add({ ...chunk, metadata: AGAIN })\n',
    replace: '',
    promise: 'a run that waits has ended its steps and subagents',
  },
  {
    file: `${folder}/ag-ui/blocks.ts`,
    find: '    const role = messages.roleOf(event)\n',
    replace: "    const role = messages.roleOf(event) ?? 'assistant'\n",
    promise: 'messages of the user are not sent again',
  },
  {
    file: `${folder}/ag-ui/tools.ts`,
    find: "const whole = streamed === '' ? inputText(event) : ''",
    replace: 'const whole = inputText(event)',
    promise: 'an input is sent once',
  },
  {
    file: `${folder}/ag-ui/result.ts`,
    find: 'return { content: JSON.stringify(output), extra: { json: true } }',
    replace: 'return { content: output, extra: {} }',
    promise: 'a result is text or parts',
  },
]

/** Only the wire's own tests can find these. */
export const own: readonly Mutant[] = [
  {
    file: `${folder}/ag-ui/profile-0.ts`,
    find: 'isFailure(metadata) ? { ...chunk, ...MCP_FAILURE } : chunk',
    replace: 'chunk',
    promise: 'a call that failed looks failed in assistant-ui',
  },
  {
    file: 'packages/core/src/wire/ag-ui/tools.ts',
    find: "{ isError: true, tanstack: { state: 'output-error' } } as const",
    replace: '{ isError: true } as const',
    promise: 'a call that failed looks failed in TanStack',
  },
  {
    file: `${folder}/ag-ui/input-text.ts`,
    find: 'if (streamed === text) return true',
    replace: 'if (streamed.length === text.length) return true',
    promise: 'an input that was streamed otherwise is sent, also if it is as long',
  },
  {
    file: `${folder}/ag-ui/blocks.ts`,
    find: '    if (skippedIds.has(blockId)) return\n',
    replace: '',
    promise: 'nothing is sent of a block that the client has, not even its patch',
  },
  {
    file: `${folder}/ag-ui/stream.ts`,
    find: 'idOf: (id) => `${runId}/${id}`',
    replace: 'idOf: (id) => id',
    promise: 'two runs of a thread share no message',
  },
  {
    file: `${folder}/ag-ui/activities.ts`,
    find: 'isKept && keptIds.has(messageId)',
    replace: 'isKept && false',
    promise: 'a value that replaces an object is shown instead of it',
  },
  {
    file: `${folder}/ag-ui/tools.ts`,
    find: '    parents.endGroup(call.agentId)\n',
    replace: '',
    promise: 'a call that follows a result belongs to a later message',
  },
  {
    file: `${folder}/ag-ui/usage.ts`,
    find: 'if (!Number.isSafeInteger(more) || more <= 0) continue',
    replace: 'if (more === 0) continue',
    promise: 'no count is negative',
  },
  {
    file: `${folder}/ag-ui/stream.ts`,
    find: 'if (isOpen && !isEnded && pauses.isWaiting()) pause()',
    replace: 'if (isOpen && pauses.isWaiting()) pause()',
    promise: 'a run that has ended does not finish again',
  },
]
