import type { RawRecord } from '../packages/core/src/source/source.ts'

/** One run of an agent of smolagents: a plan, a step of Python, a step of search, and a structured answer. */

const plan = '1. Add up.\n2. Look it up.'
const code = 'total = 6 + 12\nprint(total)'
const answer = { title: 'When to leave', content: 'Leave at **six**.', sources: ['https://tides.example/'] }

const timing = (start: number, duration: number) => ({ start_time: start, end_time: start + duration, duration })
const tokens = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
})
const delta = (content: string) => ({
  type: 'ChatMessageStreamDelta',
  content,
  tool_calls: null,
  token_usage: null,
})
const callOf = (id: string, name: string, input: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

const planning = {
  type: 'PlanningStep',
  model_input_messages: null,
  model_output_message: { role: 'assistant', content: plan, tool_calls: null, raw: null, token_usage: null },
  plan: `Here is the plan:\n\`\`\`\n${plan}\n\`\`\``,
  timing: timing(1_763_200_000, 1.2),
  token_usage: tokens(1234, 5),
}

function actionStep(number: number, output: string, call: unknown, more: object): object {
  return {
    type: 'ActionStep',
    step_number: number,
    timing: timing(1_763_200_000 + 10 * number, 1.5),
    model_input_messages: null,
    tool_calls: [call],
    error: null,
    model_output_message: { role: 'assistant', content: output, tool_calls: null, raw: null, token_usage: null },
    model_output: output,
    code_action: null,
    observations: null,
    observations_images: null,
    action_output: null,
    token_usage: tokens(2000 + number, 40),
    is_final_answer: false,
    ...more,
  }
}

const python = callOf('call_1', 'python_interpreter', code)
const pythonStep = actionStep(1, 'I add up the hours and print them.', python, {
  code_action: code,
  observations: 'Execution logs:\n18\nLast output from code snippet:\nNone',
})

const search = callOf('call_2', 'search', { query: 'tide at Millport', days: 2 })
const searchOutput = {
  type: 'ToolOutput',
  id: 'call_2',
  output: 'High water at 06:12.\nHigh water at 18:40.',
  is_final_answer: false,
  observation: 'High water at 06:12.\nHigh water at 18:40.',
  tool_call: search,
}
const searchStep = actionStep(2, 'I look up the tide.', search, { observations: searchOutput.observation })

const finalAnswer = { type: 'FinalAnswerStep', output: answer }
const noOutput = { type: 'ActionOutput', output: null, is_final_answer: false }

/** Without deltas. */
export const wholeRun = recordsOf([
  planning,
  python,
  pythonStep,
  search,
  searchOutput,
  noOutput,
  searchStep,
  finalAnswer,
])

/** With deltas of plan and thoughts. */
export const streamedRun = recordsOf([
  delta('1. Add up.\n'),
  delta('2. Look it up.'),
  planning,
  delta('I add up the hours '),
  delta('and print them.'),
  python,
  noOutput,
  pythonStep,
  delta('I look '),
  delta('up the tide.'),
  search,
  searchOutput,
  noOutput,
  searchStep,
  finalAnswer,
])

function recordsOf(values: readonly object[]): readonly RawRecord[] {
  return values.map((value) => ({ value, text: JSON.stringify(value), name: undefined, problem: undefined }))
}
