import { a2a } from './a2a.ts'
import { agUi } from './ag-ui.ts'
import { aiSdk } from './ai-sdk.ts'
import { any } from './any.ts'
import type { Endpoint } from './endpoint.ts'
import { langgraph } from './langgraph.ts'

/** The kinds of services: one row each. */
export const endpoints = { 'ag-ui': agUi, a2a, langgraph, 'ai-sdk': aiSdk, any } satisfies {
  readonly [name: string]: Endpoint
}

export type EndpointName = keyof typeof endpoints
