import type { Stage } from './mutant.ts'

const aiSdk = 'packages/core/src/wire/ai-sdk'
const agUi = 'packages/core/src/wire/ag-ui'
const segments = 'packages/core/src/wire/event-segments'

/** What clients load. */
export const histories: Stage = {
  name: 'history',
  tests: ['test/history.test.ts'],
  timeout: 300_000,
  mutants: [
    {
      file: 'packages/core/src/wire/people.ts',
      find: 'clientIdOf(event) ?? `',
      replace: '`',
      promise: 'a loaded question has the id that the client gave it',
    },
    {
      file: 'packages/core/src/wire/people.ts',
      find: 'isWhole ? text : block.text + text',
      replace: 'text',
      promise: 'a loaded question has all of its text',
    },
    {
      file: `${aiSdk}/history.ts`,
      find: '    if (answer?.id === answerId) return answer.message\n',
      replace: '',
      promise: 'a message that spans two runs is loaded as one',
    },
    {
      file: `${aiSdk}/ui-message.ts`,
      find: "'finish', 'error'])",
      replace: "'finish'])",
      promise: 'a step that the client does not show is not loaded',
    },
    {
      file: `${aiSdk}/ui-message.ts`,
      find: "    part.state = 'done'\n",
      replace: '',
      promise: 'a loaded text that has ended is done',
    },
    {
      file: `${aiSdk}/ui-message.ts`,
      find: 'metadata === undefined ? messageMetadata : merged(metadata, messageMetadata)',
      replace: 'messageMetadata',
      promise: 'loaded metadata is merged',
    },
    {
      file: `${aiSdk}/ui-message.ts`,
      find: '    if (existing !== undefined) existing.data = part.data\n    else {',
      replace: '    {',
      promise: 'a loaded data part is replaced by a later one of the same id',
    },
    {
      file: `${aiSdk}/ui-message.ts`,
      find: "for (; steps > 0; steps--) parts.push({ type: 'step-start' })",
      replace: 'steps = 0',
      promise: 'a loaded message has its steps',
    },
    {
      file: `${aiSdk}/tool-parts.ts`,
      find: '  if (RESULTS.has(state)) part.resultProviderMetadata = providerMetadata\n  else part',
      replace: '  part',
      promise: 'the metadata of a loaded result is not that of its call',
    },
    {
      file: `${aiSdk}/tool-parts.ts`,
      find: 'existing !== undefined && existing.step === step',
      replace: 'existing !== undefined',
      promise: 'a call id that is used again in another step is another part',
    },
    {
      file: `${aiSdk}/tool-parts.ts`,
      find: "    part.state = 'approval-responded'\n",
      replace: '',
      promise: 'a loaded approval that was answered is answered',
    },
    {
      file: `${agUi}/message-list.ts`,
      find: "    while (owner !== undefined && messages[at]?.role === 'tool') at++\n",
      replace: '',
      promise: 'loaded results of parallel calls keep their order',
    },
    {
      file: `${agUi}/message-list.ts`,
      find: 'owner === undefined ? messages.length : messages.lastIndexOf(owner) + 1',
      replace: 'messages.length',
      promise: 'a loaded result stands behind the message of its call',
    },
    {
      file: `${agUi}/message-list.ts`,
      find: "    if (!byId.has(id)) add({ id, role: 'activity' })\n",
      replace: "    add({ id, role: 'activity' })\n",
      promise: 'a loaded todo list is one message, however often it changes',
    },
    {
      file: `${agUi}/history.ts`,
      find: ' && returned.delete(event.callId)) list',
      replace: ') list',
      promise: 'a result that the wire sends is loaded once',
    },
    {
      file: `${agUi}/history.ts`,
      find: 'toolCallId: callIds.get(callId) ?? callId',
      replace: 'toolCallId: callId',
      promise: 'a loaded output of the client names the call as the stream does',
    },
    {
      file: 'packages/core/src/wire/ds-agent/history.ts',
      find: 'isCumulative ? chunk.content : ',
      replace: '',
      promise: 'a loaded message of a cumulative profile has its text once',
    },
    {
      file: `${aiSdk}/ui-message.ts`,
      find: '      if (transient) return\n',
      replace: '',
      promise: 'what a subagent says between two of its parts is not loaded, too',
    },
    {
      file: `${segments}/history.ts`,
      find: 'CLIENT_TYPES.has(type)',
      replace: 'type !== undefined',
      promise: 'a loaded text has its tokens although a segment of ours follows it',
    },
    {
      file: `${segments}/history.ts`,
      find: '    if (current?.fields.id === event.id) current = undefined\n    putWhole(event)',
      replace: '    if (current?.fields.id === event.id) current = undefined',
      promise: 'a loaded Event that is complete is whole',
    },
    {
      file: `${segments}/history.ts`,
      find: "each.id === id && each.type !== 'tool_result'",
      replace: 'each.id === id',
      promise: 'the status of a built-in tool is not written into its result',
    },
    {
      file: `${segments}/history.ts`,
      find: "`${before?.text ?? ''}${delta}`",
      replace: '`${delta}`',
      promise: 'a loaded thought has all of its deltas',
    },
    {
      file: `${segments}/history.ts`,
      find: 'stored.segments[segmentIndex as number] = segment as JsonObject',
      replace: 'stored.segments.push(segment as JsonObject)',
      promise: 'a segment that is sent again replaces itself in a loaded Event',
    },
    {
      file: `${segments}/history.ts`,
      find: 'change(positionOf(tool_id), () => ({ args }))',
      replace: 'undefined',
      promise: 'a loaded call has its arguments before its Event is complete',
    },
    {
      file: 'packages/core/src/wire/history.ts',
      find: 'wireState = isStreamed ? undefined : wire.create(options)',
      replace: 'wireState = wire.create(options)',
      promise: 'the message that a client streams is not loaded, too',
    },
  ],
}
