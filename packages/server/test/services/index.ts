import type { EndpointName } from '../../src/agents/endpoints/index.ts'
import { a2aScript } from './a2a.ts'
import { agUiScript } from './ag-ui.ts'
import { aiSdkScript } from './ai-sdk.ts'
import { anyScript } from './any.ts'
import { langgraphScript } from './langgraph.ts'
import type { Script } from './service.ts'

/** A scripted service for each kind of endpoint. */
export const scripts: { readonly [Name in EndpointName]: () => Script } = {
  'ag-ui': agUiScript,
  a2a: a2aScript,
  langgraph: langgraphScript,
  'ai-sdk': aiSdkScript,
  any: anyScript,
}
