import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: `${folder}/agent-event/tools.ts`,
    find: 'isPlain ? JSON.stringify(input) : (text ?? JSON.stringify(input ?? {}))',
    replace: '(isPlain ? input : text) as string',
    promise: 'arguments are a string',
  },
  {
    file: `${folder}/agent-event/result.ts`,
    find: 'return { output: JSON.stringify(output), marks: { json: true } }',
    replace: 'return { output: JSON.stringify(output), marks: undefined }',
    promise: 'an output that is no text can be told from one that is',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: 'blockId === current ? undefined : { blockId }',
    replace: 'undefined',
    promise: 'texts that grow beside each other are told apart',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: "kind: isUnsaid ? 'unsaid' : kind",
    replace: 'kind',
    promise: 'what the person said is no part of the answer',
  },
  {
    file: `${folder}/agent-event/agents.ts`,
    find: 'if (call?.isCalled && call.agentId === undefined)',
    replace: 'if (call?.isCalled)',
    promise: 'a subagent speaks through a call that the client knows',
  },
  {
    file: `${folder}/agent-event/tools.ts`,
    find: '      calls.delete(callId)\n',
    replace: '',
    promise: 'nothing is told of a call after its result',
  },
]

/** What only the wire's own tests can know. */
export const own: readonly Mutant[] = [
  {
    file: `${folder}/agent-event/tool-events.ts`,
    find: "return { type: 'tool_progress', toolName, data: event.data }",
    replace: "return { type: 'tool_progress', ...event } as never",
    promise: 'the event of a tool leaves its type behind',
  },
  {
    file: `${folder}/responses.ts`,
    find: '      if (riders.length >= MOST_RIDERS) carry()\n',
    replace: '',
    promise: 'what waits for a chunk does not grow without end',
  },
  {
    file: `${folder}/agent-event.ts`,
    find: '      agents.close()\n',
    replace: '',
    promise: 'no call that nobody made stays open',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: '    if (block.held.text.length >= LONGEST_THOUGHT) release(block)\n',
    replace: '',
    promise: 'a thought is not held for ever',
  },
]
