import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/format'

/** The conformance suite must find these by itself: the members' own tests are not run. */
export const format: Stage = {
  name: 'format',
  tests: ['test/conformance-wires.test.ts'],
  only: 'format: ',
  mutants: [
    {
      file: `${folder}/native.ts`,
      find: '[entry as unknown as Chunk]',
      replace: "entry.event.type === 'raw' ? [] : [entry as unknown as Chunk]",
      promise: 'what is not declared as lost is carried',
    },
    {
      file: `${folder}/native.ts`,
      find: '[entry as unknown as Chunk]',
      replace: '[{ ...entry, at: undefined } as unknown as Chunk]',
      promise: 'chunks survive JSON',
    },
    {
      file: `${folder}/ai-sdk/response.ts`,
      find: '      if (pieces > 0) return\n',
      replace: '',
      promise: 'no step or response ends while something is open',
    },
    {
      file: `${folder}/ai-sdk/blocks.ts`,
      find: '    if (!isDrawn(event)) return\n',
      replace: '',
      promise: 'what the person said is not said by the assistant',
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
      promise: 'calls beside each other all have their outputs',
    },
    {
      file: `${folder}/ai-sdk/default.ts`,
      find: '{ message, level }, event',
      replace: '{ level }, event',
      promise: 'a status says its message',
    },
    {
      file: `${folder}/ai-sdk.ts`,
      find: 'const response = createResponse(runId)',
      replace: 'const response = createResponse(runId + Math.random())',
      promise: 'the same entries make the same chunks',
    },
    {
      file: `${folder}/ag-ui/stream.ts`,
      find: 'if (isPauseDue && pieces === 0) pause()',
      replace: 'if (isPauseDue) pause()',
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
      find: '    if (role === undefined) return\n',
      replace: '',
      promise: 'what the person said is not said again',
    },
    {
      file: `${folder}/ag-ui/tools.ts`,
      find: "const whole = streamed === '' ? inputText(event) : ''",
      replace: 'const whole = inputText(event)',
      promise: 'an input is said once',
    },
    {
      file: `${folder}/ag-ui/result.ts`,
      find: 'return { content: JSON.stringify(output), own: { json: true } }',
      replace: 'return { content: output, own: {} }',
      promise: 'a result is words or parts',
    },
  ],
}

/** What only the wire's own tests can know. */
export const aiSdk: Stage = {
  name: 'format: ai-sdk',
  tests: [folder, 'test/ai-sdk-client.test.ts'],
  mutants: [
    {
      file: `${folder}/ai-sdk/blocks.ts`,
      find: '    closed()\n',
      replace: '',
      promise: 'a response that waits for an answer ends',
    },
    {
      file: `${folder}/ai-sdk/tools.ts`,
      find: 'output, preliminary: true',
      replace: 'output: null, preliminary: true',
      promise: 'progress is shown',
    },
  ],
}

export const agUi: Stage = {
  name: 'format: ag-ui',
  tests: [`${folder}/ag-ui.test.ts`, `${folder}/ag-ui`, 'test/ag-ui-client.test.ts'],
  mutants: [
    {
      file: `${folder}/ag-ui/stream.ts`,
      find: 'idOf: (id) => `${runId}/${id}`',
      replace: 'idOf: (id) => id',
      promise: 'two runs of a thread share no message',
    },
    {
      file: `${folder}/ag-ui/tools.ts`,
      find: '    parents.part(call.agentId)\n',
      replace: '',
      promise: 'a call that follows a result stands behind it',
    },
    {
      file: `${folder}/ag-ui/usage.ts`,
      find: 'if (!Number.isSafeInteger(more) || more <= 0) continue',
      replace: 'if (more === 0) continue',
      promise: 'no count is below zero',
    },
  ],
}
