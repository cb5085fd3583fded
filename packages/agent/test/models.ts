import type { Agent } from '@millrace/core/agent'
import { afterEach } from 'vitest'
import type { Step } from '../../../recorders/provider/script.ts'
import { type Provider, type StepOf, startProvider } from '../../../recorders/provider/server.ts'
import { type ModelAgent, modelAgent } from '../src/loop/model-agent.ts'
import type { ApiName } from '../src/model/apis.ts'
import type { Model } from '../src/model/model.ts'

/** The APIs, each with the path below which the scripted provider has it. */
const bases: { readonly [Name in ApiName]: string } = {
  anthropic: '',
  openai: '/v1',
  'openai-chat': '/v1',
  gemini: '',
}

export const apiNames = Object.keys(bases) as readonly ApiName[]

const providers: Provider[] = []
afterEach(() => {
  for (const { close } of providers.splice(0)) close()
})

/** A provider that answers by a function, and what it was asked. */
export interface ScriptedModel {
  readonly model: Model
  readonly bodies: readonly { readonly [field: string]: unknown }[]
}

export async function scriptedModel(api: ApiName, stepOf: StepOf): Promise<ScriptedModel> {
  const bodies: { readonly [field: string]: unknown }[] = []
  const provider = await startProvider((conversation, body) => {
    bodies.push(body as (typeof bodies)[number])
    return stepOf(conversation, body)
  })
  providers.push(provider)
  return { model: { api, name: 'pilot-1', baseUrl: `${provider.url}${bases[api]}` }, bodies }
}

/** An agent whose model answers by a function. */
export async function scriptedAgent(
  api: ApiName,
  stepOf: StepOf,
  fields: Partial<ModelAgent> = {},
): Promise<ScriptedModel & { readonly agent: Agent }> {
  const scripted = await scriptedModel(api, stepOf)
  return { ...scripted, agent: modelAgent({ title: 'Tester', model: scripted.model, ...fields }) }
}

const usage = { input: 10, output: 3 }

/** A step of the script with the same counts as every other. */
export const step = (fields: Omit<Step, 'usage'>): Step => ({ ...fields, usage })
