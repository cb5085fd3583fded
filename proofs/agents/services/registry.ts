/** A server of npm that speaks the protocol of an endpoint, and does the errand of `errand.mjs`. */
export interface Service {
  readonly name: string
  /** What is run, beside this file. */
  readonly program: string
  readonly endpoint: string
  /** The packages whose versions the report names. */
  readonly packages: readonly string[]
  /** Whether it asks persons. */
  readonly asks: boolean
  /** What becomes of an answer that is cut in the middle. */
  readonly cut: 'goes on' | 'broken-off'
  /** What it says when the errand fails. */
  readonly error: string
}

export const services: readonly Service[] = [
  {
    name: 'AG-UI 1.0',
    program: 'ag-ui.mjs',
    endpoint: 'ag-ui',
    packages: ['@ag-ui/encoder', 'express'],
    asks: true,
    cut: 'broken-off',
    error: 'The gauge is broken.',
  },
  {
    name: 'CopilotKit runtime',
    program: 'copilotkit.mjs',
    endpoint: 'ag-ui',
    packages: ['@copilotkitnext/runtime', '@ag-ui/client'],
    asks: false,
    cut: 'broken-off',
    error: 'The gauge is broken.',
  },
  {
    name: 'A2A',
    program: 'a2a.mjs',
    endpoint: 'a2a',
    packages: ['@a2a-js/sdk'],
    asks: true,
    cut: 'goes on',
    error: 'The gauge is broken: code 3.',
  },
  {
    name: 'LangGraph',
    program: 'langgraph.mjs',
    endpoint: 'langgraph',
    packages: ['@langchain/langgraph-api', '@langchain/langgraph'],
    asks: true,
    cut: 'goes on',
    error: 'The gauge is broken.',
  },
]
