import { defineAgent } from '@millrace/agent'
import type { Agent } from '@millrace/core/agent'

interface KnownModel {
  readonly title: string
  readonly api: 'anthropic' | 'openai' | 'gemini'
  readonly keyVariable: string
  /** Names another model than the default. */
  readonly modelVariable: string
  readonly model: string
}

/** A model for each vendor whose key the environment has: an answer without tools. */
const rows: readonly KnownModel[] = [
  {
    title: 'Anthropic',
    api: 'anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    modelVariable: 'MILLRACE_ANTHROPIC_MODEL',
    model: 'claude-sonnet-5-5',
  },
  {
    title: 'OpenAI',
    api: 'openai',
    keyVariable: 'OPENAI_API_KEY',
    modelVariable: 'MILLRACE_OPENAI_MODEL',
    model: 'gpt-5.5',
  },
  {
    title: 'Gemini',
    api: 'gemini',
    keyVariable: 'GEMINI_API_KEY',
    modelVariable: 'MILLRACE_GEMINI_MODEL',
    model: 'gemini-flash-latest',
  },
]

/** The agents that the keys of the environment give, under the names of the vendors. */
export function createModels(environment: NodeJS.ProcessEnv): readonly Agent[] {
  return rows.flatMap(({ title, api, keyVariable, modelVariable, model }) => {
    if (!environment[keyVariable]) return []
    const name = environment[modelVariable] || model
    return [defineAgent({ name: api, title, description: `${name}, without tools.`, model: `${api}:${name}` })]
  })
}
