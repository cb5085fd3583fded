import type { Role, Script, ScriptedCall, Step } from './script.ts'

/** The scenario of `fixtures/<framework>/scenario.jsonl`, word for word, for the real frameworks. */
export const PROMPT = 'When may we leave?'
export const TIDE = 'High water at 06:12 and 18:40.'
export const WIND_FAILURE = 'The wind gauge is offline.'
export const SAVED = 'Saved.'
export const PILOT_TASK = 'When is slack water?'
export const PILOT_ANSWER = 'Slack water is at 06:40.'
const FINAL =
  '<think>Short and plain.</think>Leave at 06:40. In the log it reads:\n\n```html\n<think>no thought</think>\n```\n'

/** The model in the recordings. It does not exist. */
export const MODEL = 'pilot-1'

export const TODOS = [
  { content: 'Read the tide', status: 'completed', activeForm: 'Reading the tide' },
  { content: 'Ask the pilot', status: 'in_progress', activeForm: 'Asking the pilot' },
  { content: 'Write the answer', status: 'pending', activeForm: 'Writing the answer' },
] as const

/** The calls by which a framework writes a todo list and starts a subagent; a round is a list of parallel calls. */
type FrameworkCalls = { readonly todos?: readonly Round[]; readonly pilot?: readonly Round[] }
type Round = readonly ScriptedCall[]

export function scenario({ todos = [], pilot = [] }: FrameworkCalls): Script {
  return [
    {
      prompt: PROMPT,
      steps: [
        {
          reasoning: 'Tide and wind decide. I ask for both.',
          text: 'I look at the tide and the wind.',
          calls: [
            { name: 'get_tide', input: { harbour: 'Millport', days: 2 } },
            { name: 'get_wind', input: { harbour: 'Millport' } },
          ],
          usage: { input: 100, output: 20, reasoning: 8 },
        },
        ...todos.map((calls): Step<ScriptedCall> => ({ calls, usage: { input: 140, output: 10 } })),
        ...pilot.map((calls): Step<ScriptedCall> => ({ calls, usage: { input: 180, output: 15 } })),
        { text: FINAL, usage: { input: 220, output: 25 } },
      ],
    },
    pilotRole,
  ]
}

const pilotRole: Role = {
  prompt: PILOT_TASK,
  steps: [{ text: PILOT_ANSWER, usage: { input: 60, output: 8 } }],
}

/** The provider fails in the middle of its first answer. */
export const brokenOff: Script = [
  {
    prompt: PROMPT,
    steps: [
      {
        reasoning: 'Tide and wind decide. I ask for both.',
        text: 'I look at the tide and',
        error: 'Overloaded',
        usage: { input: 100, output: 9, reasoning: 8 },
        pause: 5,
      },
    ],
  },
]

/** For a subagent in the background: the final answer is in a later turn, whose prompt contains `sign`. */
export function thenLater(sign: string, [main, ...others]: Script): Script {
  const steps = main?.steps ?? []
  const asked: Step = { text: 'The pilot is asked.', usage: { input: 200, output: 6 } }
  return [
    { prompt: sign, steps: steps.slice(-1) },
    { prompt: PROMPT, steps: [...steps.slice(0, -1), asked] },
    ...others,
  ]
}
