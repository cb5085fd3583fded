import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/wire/responses.ts',
    find: 'answer: (id) => open.delete(id)',
    replace: 'answer: (id) => open.delete(id) && open.clear() === undefined',
    promise: 'a question that is left open ends the response although another was answered',
  },
  {
    file: 'packages/core/src/wire/ai-sdk/approvals.ts',
    find: 'input: defined({ message, request })',
    replace: 'input: defined({ message })',
    promise: 'a question about no call says what it asks for',
  },
  {
    file: 'packages/core/src/wire/ai-sdk/approvals.ts',
    find: "event.reason === 'went-on' ? WENT_ON : answers[state]",
    replace: 'answers[state]',
    promise: 'a call that went on without an answer is not shown as refused',
  },
  {
    file: 'packages/core/src/wire/ai-sdk/default.ts',
    find: '      usage.nextStep(agentId)\n',
    replace: '      usage.nextStep(undefined)\n',
    promise: 'a step of a subagent ends no step of the main agent',
  },
  {
    file: 'packages/core/src/wire/ai-sdk/default.ts',
    find: '      reason = undefined\n',
    replace: '',
    promise: 'the counts of a step do not say why an earlier one stopped',
  },
  {
    file: `${folder}/ai-sdk/response.ts`,
    find: '      if (pauses.hasOpen()) return\n',
    replace: '',
    promise: 'no step or response ends while something is open',
  },
  {
    file: `${folder}/ai-sdk/blocks.ts`,
    find: '    if (!isDrawn(event)) {',
    replace: '    if (!isDrawn(event) && event.blockId === undefined) {',
    promise: 'a message of the user is not sent as the assistant’s',
  },
  {
    file: `${folder}/ai-sdk/blocks.ts`,
    find: '!skippedIds.has(blockId) && ',
    replace: '',
    promise: 'nothing is sent of a block that is not drawn, not even its patch',
  },
  {
    file: `${folder}/ai-sdk/finish.ts`,
    find: "if (event.outcome === 'awaiting-input' && !isOpen()) return",
    replace: '',
    promise: 'a response ends once',
  },
  {
    file: `${folder}/ai-sdk/tools.ts`,
    find: '    calls.delete(event.callId)\n    const { type',
    replace: '    calls.clear()\n    const { type',
    promise: 'parallel calls all have their outputs',
  },
  {
    file: `${folder}/ai-sdk/default.ts`,
    find: '{ message, level }, event',
    replace: '{ level }, event',
    promise: 'a status contains its message',
  },
  {
    file: `${folder}/ai-sdk.ts`,
    find: 'createResponse(runId, messageId ?? runId)',
    replace: 'createResponse(runId, (messageId ?? runId) + Math.random())',
    promise: 'the same entries make the same chunks',
  },
  {
    file: `${folder}/ai-sdk/subagent-part.ts`,
    find: "{ type: 'data-subagent-delta', data: { id, agentId, delta }, transient: true }",
    replace: "{ type: 'data-subagent-delta', data: { id, agentId }, transient: true }",
    promise: 'no word of a subagent is held back',
  },
]

/** Only the wire's own tests can find these. */
export const own: readonly Mutant[] = [
  {
    file: `${folder}/ai-sdk/profile-5.ts`,
    find: 'defaultProfile(withCitationsInMetadata(response))',
    replace: 'defaultProfile(response)',
    promise: 'version 5 has the citations of a text',
  },
  {
    file: `${folder}/ai-sdk/citations.ts`,
    find: '{ ...metadata, millrace: { ...millrace, citations } }',
    replace: '{ millrace: { ...millrace, citations } }',
    promise: 'citations in the metadata remove nothing from it',
  },
  {
    file: `${folder}/ai-sdk/blocks.ts`,
    find: 'agentId === undefined ? undefined : createSubagentPart(',
    replace: 'agentId !== undefined ? undefined : createSubagentPart(',
    promise: 'what a subagent says is no text of the answer',
  },
  {
    file: `${folder}/ai-sdk/subagent-part.ts`,
    find: '      if (text.length < sentLength * GROWTH)',
    replace: '      if (text.length < sentLength)',
    promise: 'the text of a subagent costs bytes in proportion to its length',
  },
  {
    file: `${folder}/ai-sdk/response.ts`,
    find: 'isContinued ? (id) => `${id}/${runId}` : (id) => id',
    replace: '(id) => id',
    promise: 'the parts of a run that continues a message replace none of the run before',
  },
  {
    file: `${folder}/ai-sdk/response.ts`,
    find: 'queue.add(withSafeKeys(chunk))',
    replace: 'queue.add(chunk)',
    promise: 'no key of an output makes the client refuse the stream',
  },
  {
    file: `${folder}/ai-sdk/parts.ts`,
    find: '      if (sourceIds.has(event.sourceId)) return\n',
    replace: '',
    promise: 'a source that is reported twice is one part',
  },
  {
    file: `${folder}/ai-sdk/blocks.ts`,
    find: '      if (meta !== undefined) block.meta = mergeMeta(block.meta, meta)\n',
    replace: '',
    promise: 'the fields that a provider sends with a delta are not lost',
  },
  {
    file: `${folder}/ai-sdk/blocks.ts`,
    find: '    pauses.close()\n',
    replace: '',
    promise: 'a response that waits for an answer ends',
  },
  {
    file: `${folder}/ai-sdk/tools.ts`,
    find: 'output, preliminary: true',
    replace: 'output: null, preliminary: true',
    promise: 'progress is shown',
  },
  {
    file: `${folder}/ai-sdk/tools.ts`,
    find: '{ ...call.fields, providerExecuted: true }',
    replace: '{ ...call.fields }',
    promise: 'a client does not continue by itself after an output that was sent to it',
  },
  {
    file: 'packages/core/src/wire/ai-sdk/approvals.ts',
    find: '...extra, ...answerFields(event), agentId }',
    replace: '...extra, answer: event.answer, agentId }',
    promise: 'a question without a call keeps how it was approved',
  },
]
