import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
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

const providers: Pick<Provider, 'close'>[] = []
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

/** A model whose answers are these frames, or the status of an error, one after the other; the last again and again. */
export async function framedModel(
  api: ApiName,
  answers: readonly (readonly object[] | number)[],
): Promise<ScriptedModel> {
  const bodies: { readonly [field: string]: unknown }[] = []
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as (typeof bodies)[number])
    const answer = answers[Math.min(bodies.length, answers.length) - 1] ?? 500
    if (typeof answer === 'number') return response.writeHead(answer).end('{"error":{"message":"Wrong."}}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of answer) response.write(`data: ${JSON.stringify(frame)}\n\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  providers.push({ close: () => server.close().closeAllConnections() })
  return { model: { api, name: 'pilot-1', baseUrl: `http://127.0.0.1:${port}${bases[api]}` }, bodies }
}

/** A chunk of Chat Completions. */
export const chunk = (delta: object, finish_reason: string | null = null, id = 'one') => ({
  id,
  object: 'chat.completion.chunk',
  model: 'pilot-1',
  choices: [{ index: 0, delta, finish_reason }],
})
