// The scenario's tools as a server of the Model Context Protocol on standard input and output, for programs that accept
// no other tools.
import { createInterface } from 'node:readline'
import { TIDE, WIND_FAILURE } from './provider/scenario.ts'

type Request = {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly name?: string; readonly protocolVersion?: string }
}

const toolOf = (name: string, description: string, properties: object) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
  annotations: { readOnlyHint: true },
})

const answers: { readonly [method: string]: (params: NonNullable<Request['params']>) => unknown } = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'harbour', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [
      toolOf('get_tide', 'The times of high water.', { harbour: { type: 'string' }, days: { type: 'number' } }),
      toolOf('get_wind', 'The wind at the harbour.', { harbour: { type: 'string' } }),
    ],
  }),
  'tools/call': ({ name }) =>
    name === 'get_wind'
      ? { content: [{ type: 'text', text: WIND_FAILURE }], isError: true }
      : { content: [{ type: 'text', text: TIDE }] },
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line) as Request
  // A message without an id is a notification, and gets no answer.
  if (id === undefined) continue
  const reply = answers[method]
  const outcome =
    reply === undefined ? { error: { code: -32601, message: `Unknown method ${method}` } } : { result: reply(params) }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
}
