import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/wire/agent-event/notes.ts',
    find: 'todosAfter(lists.get(event.listId) ?? [], event)',
    replace: 'todosAfter([], event)',
    promise: 'an update of a todo list shows what its items say',
  },
  {
    file: `${folder}/agent-event/tools.ts`,
    find: 'isPlain ? JSON.stringify(input) : (text ?? JSON.stringify(input ?? {}))',
    replace: '(isPlain ? input : text) as string',
    promise: 'arguments are a string',
  },
  {
    file: `${folder}/agent-event/result.ts`,
    find: 'return { output: JSON.stringify(output), extra: { json: true } }',
    replace: 'return { output: JSON.stringify(output), extra: undefined }',
    promise: 'an output that is not text can be distinguished from text',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: 'blockId === current ? undefined : { blockId }',
    replace: 'undefined',
    promise: 'texts that grow in parallel can be distinguished',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: "kind: isHidden ? 'hidden' : kind",
    replace: 'kind',
    promise: 'a message of the user is not part of the answer',
  },
  {
    file: `${folder}/agent-event/agents.ts`,
    find: 'if (call?.isEmitted && call.agentId === undefined)',
    replace: 'if (call?.isEmitted)',
    promise: 'the output of a subagent belongs to a call that the client knows',
  },
  {
    file: `${folder}/agent-event/tools.ts`,
    find: '      calls.delete(callId)\n',
    replace: '',
    promise: 'nothing is sent about a call after its result',
  },
]

/** Only the wire's own tests can find these. */
export const own: readonly Mutant[] = [
  {
    file: `${folder}/agent-event/strict.ts`,
    find: "    if (chunk.type === 'stream' && chunk.content === '') return []\n",
    replace: '',
    promise: 'no chunk of the profile `strict` only carries our events',
  },
  {
    file: `${folder}/agent-event/strict.ts`,
    find: "  tool_result: ['toolName', 'output', 'isError'],",
    replace: "  tool_result: ['toolName', 'output', 'isError', 'callId'],",
    promise: 'the profile `strict` has no fields of ours',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: '      if (replace(event, block)) return\n',
    replace: '',
    promise: 'a thought that is corrected while it is written is one thought',
  },
  {
    file: `${folder}/agent-event/tool-events.ts`,
    find: "return { type: 'tool_progress', toolName, data: event.data }",
    replace: "return { type: 'tool_progress', ...event } as never",
    promise: 'the event of an agent does not keep the type of the tool’s event',
  },
  {
    file: `${folder}/responses.ts`,
    find: '      if (riders.length >= MOST_RIDERS) carry()\n',
    replace: '',
    promise: 'the number of events that wait for a chunk is bounded',
  },
  {
    file: `${folder}/agent-event.ts`,
    find: '      agents.closeAll()\n',
    replace: '',
    promise: 'no synthetic call stays open',
  },
  {
    file: `${folder}/agent-event/blocks.ts`,
    find: '    if (block.held === undefined || block.held.size < LONGEST_THOUGHT) return\n',
    replace: '    if (block.held !== undefined) return\n',
    promise: 'the length of a held thought is bounded',
  },
]
