import type { Mutant } from '../mutant.ts'

const agents = 'packages/core/src/parse/openai-agents'

export const mutants: readonly Mutant[] = [
  {
    file: `${agents}.ts`,
    find: '      if (isRepeated) return SILENT\n',
    replace: '',
    promise: 'text that arrives twice is shown once',
  },
  {
    file: `${agents}.ts`,
    find: 'isRepeated ? SILENT : pushTranslated([end], record)',
    replace: 'pushTranslated([end], record)',
    promise: 'a response that the model streams itself is not repeated from the library',
  },
  {
    file: `${agents}/items.ts`,
    find: "  function_call_result: 'function_call_output',\n",
    replace: '',
    promise: 'outputs are read under the names of both languages',
  },
  {
    file: `${agents}/model-events.ts`,
    find: 'incomplete_details: isCut ? { reason: finishReason } : null',
    replace: 'incomplete_details: null',
    promise: 'an answer that was cut off has its reason',
  },
  {
    file: `${agents}.ts`,
    find: "type === 'tool_approval_item'",
    replace: "type === 'tool_approval_asked'",
    promise: 'a call that waits for approval requests it',
  },
  {
    file: 'packages/core/src/parse/openai-agents/items.ts',
    find: "  program_call_result: 'program_output',\n",
    replace: '',
    promise: 'the result of a program is an output',
  },
  {
    file: 'packages/core/src/parse/openai-agents.ts',
    find: 'isRepeated = false\n      finishReason = undefined',
    replace: 'isRepeated = false',
    promise: 'the finish reason of a response is not that of the next',
  },
  {
    file: 'packages/core/src/parse/openai-agents.ts',
    find: '      finishReason = undefined\n      return isRepeated',
    replace: '      return isRepeated',
    promise: 'a response that nobody announced does not end for the reason of the one before',
  },
  {
    file: 'packages/core/src/parse/openai-agents.ts',
    find: 'run.response.isOpen && announced === undefined',
    replace: 'run.response.isOpen',
    promise: 'an answer that is begun again is not joined to the one that broke off',
  },
]
