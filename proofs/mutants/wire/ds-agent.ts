import type { Mutant } from '../mutant.ts'

const folder = 'packages/core/src/wire/ds-agent'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: `${folder}/blocks.ts`,
    find: ' || block.begun !== answer.begun()',
    replace: '',
    promise: 'every stream is whole at its end',
  },
  {
    file: `${folder}/stream.ts`,
    find: "    if (text !== '') piece(text)\n",
    replace: '',
    promise: 'what was held back is said with the beginning',
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
    promise: 'a value is told from words that look like it',
  },
  {
    file: `${folder}/run.ts`,
    find: '    answer.giveUp()\n    outbox.release()\n    ride()\n    const',
    replace: '    outbox.release()\n    ride()\n    const',
    promise: 'a text that is no answer is whole too',
  },
]

/** What only the wire's own tests can know. */
export const own: readonly Mutant[] = [
  {
    file: `${folder}/ids.ts`,
    find: 'messageId: `${runId}/${streamId}`',
    replace: 'messageId: streamId',
    promise: 'two runs of a session share no message',
  },
  {
    file: `${folder}/final-answer-step.ts`,
    find: 'content: isStreamed ? text : content',
    replace: 'content: text',
    promise: 'a structured answer has no words of its own',
  },
  {
    file: `${folder}/steps.ts`,
    find: '    if (step.calls === 0) settle()\n',
    replace: '    settle()\n',
    promise: 'the footer of a step stands behind its calls',
  },
  {
    file: `${folder}/tools.ts`,
    find: "    if (status === 'error') turnRed(call)\n",
    replace: '',
    promise: 'the badge of a call that failed is red',
  },
  {
    file: `${folder}/stream.ts`,
    find: 'Math.max(LEAST_GROWTH, sent / 4)',
    replace: 'LEAST_GROWTH',
    promise: 'pieces that have all of the text become rarer as it grows',
  },
]
