/** A tool call of the scripted model, independent of the provider: each dialect converts a step to its own frames. */
export type Call = { readonly name: string; readonly input: Input }

type Input = { readonly [field: string]: unknown }

/** A call in a script may need the result of the call before it, such as the id of a subagent. */
export type ScriptedCall = { readonly name: string; readonly input: Input | ((lastResult: string) => Input) }

export type Step<Called = Call> = {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly Called[]
  readonly usage: { readonly input: number; readonly output: number; readonly reasoning?: number }
  /** The provider fails with this error after reasoning and text. */
  readonly error?: string
  /** Milliseconds before each frame. */
  readonly pause?: number
}

/** One conversation: a request with `prompt` is answered with `steps`, one for each round of tool results. */
export type Role = { readonly prompt: string; readonly steps: readonly Step<ScriptedCall>[] }

/** The main role comes first: a request that contains both the main prompt and a subagent's task belongs to it. */
export type Script = readonly Role[]

/** What a dialect reads from a request: the step depends on nothing else, so a retry gets the same answer. */
export type Conversation = {
  readonly userTexts: readonly string[]
  readonly toolResults: readonly string[]
  /** The names of the offered tools in the framework. */
  readonly toolNames: readonly string[]
}

/** The answer to the framework's own requests, such as one for a title. */
const SIDE_ANSWER: Step = { text: 'Leaving harbour', usage: { input: 10, output: 3 } }

export function stepFor(script: Script, conversation: Conversation): Step {
  const role = script.find(({ prompt }) => conversation.userTexts.some((text) => text.includes(prompt)))
  if (role === undefined) return SIDE_ANSWER
  let answered = conversation.toolResults.length
  const step = role.steps.find(({ calls = [] }) => {
    const reached = calls.length === 0 || answered < calls.length
    answered -= calls.length
    return reached
  })
  return resolveCalls(conversation, step ?? (role.steps.at(-1) as Step))
}

function resolveCalls({ toolNames, toolResults }: Conversation, { calls, ...step }: Step<ScriptedCall>): Step {
  if (calls === undefined) return step
  // Frameworks prefix the tools of a server (`mcp__harbour__get_tide`); the script does not.
  const nameOf = (name: string) =>
    toolNames.includes(name) ? name : (toolNames.find((other) => other.endsWith(`__${name}`)) ?? name)
  const inputOf = (input: ScriptedCall['input']) =>
    typeof input === 'function' ? input(toolResults.at(-1) ?? '') : input
  return { ...step, calls: calls.map(({ name, input }) => ({ name: nameOf(name), input: inputOf(input) })) }
}

const DELTA_LENGTH = 24

/** Split by length, not by words: a tag or an escape may be split too. */
export const deltasOf = (text: string): readonly string[] => cut(text, DELTA_LENGTH)

export function argumentDeltasOf(call: Call): readonly string[] {
  const text = JSON.stringify(call.input)
  return cut(text, Math.ceil(text.length / 2))
}

function cut(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}
