import type { ExtractFrom, Unread } from './extract.ts'

export const unread: Unread = {
  'smolagents/answer-in-the-last-step.jsonl': 'its answer is only a field of the last step',
  'smolagents/dictionaries-of-every-class.jsonl': 'it has records of no documented shape',
  'smolagents/failed-after-an-answer.jsonl': 'a run fails and another one follows',
  'smolagents/three-runs-of-a-harbour.jsonl': 'a run fails and another one follows',
}

interface Value {
  readonly type?: string
  readonly content?: string | null
  readonly tool_calls?: readonly Value[] | null
  readonly id?: string | null
  readonly index?: number
  readonly name?: string | null
  readonly arguments?: unknown
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown }
  readonly tool_call?: Value | null
  readonly step_number?: number
  readonly plan?: string
  readonly model_output?: unknown
  readonly model_output_message?: { readonly content?: string | null }
  readonly output?: unknown
  readonly final_answer?: unknown
  readonly task?: string
  readonly system_prompt?: string
}

/**
 * A finished step holds its whole text, whatever was streamed of it; a text that no step confirms is the streamed text.
 * Each call is counted once per step.
 */
export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const reasoning: string[] = []
  const tools: { name: string; input: unknown }[] = []
  let streamed = ''
  /** Whether the streamed text is of a step that has called something: then it is no plan. */
  let isAction = false
  let seen = new Set<string>()
  let lastStep: number | undefined
  let lastAnswer: unknown
  const add = (call: Value) => {
    const { name, arguments: rawArguments } = call.function ?? call
    const isNew = !call.id || !seen.has(call.id)
    isAction = true
    if (call.id) seen.add(call.id)
    if (isNew) tools.push({ name: name ?? '', input: inputOf(name ?? '', rawArguments) })
  }
  /** An output names its call, which a host may have left out. */
  const addAnswered = (call: Value | null) => {
    if (call === null) tools.push({ name: 'unknown', input: {} })
    else if (call.id) add(call)
  }
  const confirm = (whole: string | undefined) => {
    const said = spoken(whole ?? streamed)
    if (said) text.push(said)
    streamed = ''
  }
  for (const value of values as readonly Value[]) {
    if (value.system_prompt !== undefined) text.push(value.system_prompt)
    else if (value.task !== undefined) text.push(value.task)
    else if (value.plan !== undefined) {
      if (isAction) confirm(undefined)
      isAction = false
      reasoning.push(value.model_output_message?.content ?? value.plan)
      streamed = ''
    } else if (value.step_number !== undefined) {
      if (value.step_number === lastStep) continue
      lastStep = value.step_number
      for (const call of value.tool_calls ?? []) add(call)
      // Code that a step has written and not run is a call all the same.
      const code = codeOf(textOf(value.model_output))
      if (!isAction && code !== '') tools.push({ name: 'python_interpreter', input: code })
      confirm(textOf(value.model_output) || undefined)
      isAction = false
      seen = new Set()
    } else if (value.tool_call !== undefined) addAnswered(value.tool_call)
    else if (value.function !== undefined || value.arguments !== undefined) add(value)
    else if ('is_final_answer' in value) {
      isAction = true
      if (value.is_final_answer) lastAnswer = value.output
    } else if ('output' in value || 'final_answer' in value) {
      confirm(undefined)
      text.push(...answerOf(value.output ?? value.final_answer))
      lastStep = undefined
      lastAnswer = undefined
      seen = new Set()
    } else if (typeof value.content === 'string') streamed += value.content
  }
  confirm(undefined)
  if (lastAnswer !== undefined) text.push(...answerOf(lastAnswer))
  return { text, reasoning, tools }
}

/** The code that a step runs stands between tags, the first on a line: it is the input of the call, no text. */
function spoken(whole: string): string {
  return whole.replace(/^([ \t]*)<code>.*?(?:<\/code>|$(?![\s\S]))/gms, '$1')
}

/** The pieces of code of one step are run as one. */
function codeOf(whole: string): string {
  const pieces = [...whole.matchAll(/^[ \t]*<code>(.*?)<\/code>/gms)].map(([, code = '']) => code.trim())
  return pieces.join('\n\n')
}

function textOf(output: unknown): string {
  if (Array.isArray(output)) return output.map((part) => part.text ?? '').join('')
  return typeof output === 'string' ? output : ''
}

function answerOf(output: unknown): string[] {
  if (output === null || output === undefined) return []
  if (typeof output === 'object' && '_type' in output) return []
  return [typeof output === 'string' ? output : JSON.stringify(output)]
}

function inputOf(name: string, rawArguments: unknown): unknown {
  if (typeof rawArguments !== 'string' || name === 'python_interpreter') return rawArguments
  try {
    return JSON.parse(rawArguments)
  } catch {
    return rawArguments
  }
}
