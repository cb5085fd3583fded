import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire/ds-agent'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/wire/ds-agent/others.ts',
    find: 'const file = files.pop()',
    replace: 'const file = files.shift()',
    promise: 'the last file of a final step is the answer',
  },
  {
    file: 'packages/core/src/wire/ds-agent/ids.ts',
    find: '      remember(streams, name, count)\n',
    replace: '      if (count === 1) remember(streams, name, count)\n',
    promise: 'each stream of a step has an id of its own',
  },
  {
    file: `${folder}/blocks.ts`,
    find: ' || block.begunCount !== answer.begunCount()',
    replace: '',
    promise: 'every stream ends with its whole text',
  },
  {
    file: `${folder}/stream.ts`,
    find: "    if (text !== '') emitDelta(text)\n",
    replace: '',
    promise: 'text that was held back is sent with the first message',
  },
  {
    file: `${folder}/ids.ts`,
    find: 'const streamId = count === 1 ? name : `${name}-${count}`',
    replace: 'const streamId = name',
    promise: 'two streams of a step and type are two messages',
  },
  {
    file: `${folder}/message.ts`,
    find: 'return { json: true }',
    replace: 'return {}',
    promise: 'a value can be distinguished from text that looks like it',
  },
  {
    file: `${folder}/run.ts`,
    find: '    answer.finishAsThought()\n    outbox.release()\n    others.showFiles()\n    ride()\n    const',
    replace: '    outbox.release()\n    others.showFiles()\n    ride()\n    const',
    promise: 'a text that is not the answer is also sent whole',
  },
]

/** Only the wire's own tests can find these. */
export const own: readonly Mutant[] = [
  {
    file: `${folder}/blocks.ts`,
    find: '      close(undefined, template)\n',
    replace: '      open.delete(blockId)\n',
    promise: 'a text that was empty at its end is shown once it has characters',
  },
  {
    file: `${folder}/ids.ts`,
    find: 'messageId: `${runId}/${streamId}`',
    replace: 'messageId: streamId',
    promise: 'two runs of a session share no message',
  },
  {
    file: `${folder}/final-answer.ts`,
    find: 'content: isStreamed ? text : content',
    replace: 'content: text',
    promise: 'a structured answer has no content',
  },
  {
    file: `${folder}/others.ts`,
    find: '      if (sourceIds.has(sourceId)) ride(event)\n      else emitLine',
    replace: '      emitLine',
    promise: 'a source that is reported twice is one line',
  },
  {
    file: `${folder}/run.ts`,
    find: '    const before = () => {\n      others.showFiles()\n',
    replace: '    const before = () => {\n',
    promise: 'a file of the final step is shown although a text is the answer',
  },
  {
    file: `${folder}/steps.ts`,
    find: '    if (step.calls === 0) settle()\n',
    replace: '    settle()\n',
    promise: 'the footer of a step comes after its calls',
  },
  {
    file: `${folder}/tools.ts`,
    find: "    if (status === 'error') markBadgeFailed(call)\n",
    replace: '',
    promise: 'the badge of a call that failed is red',
  },
  {
    file: `${folder}/stream.ts`,
    find: 'Math.max(LEAST_GROWTH, sent / 4)',
    replace: 'LEAST_GROWTH',
    promise: 'cumulative deltas become rarer as the text grows',
  },
]
