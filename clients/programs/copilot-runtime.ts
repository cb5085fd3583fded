// CopilotKit's runtime as an application would run it, with agents of a Millrace server:
// node copilot-runtime.ts MILLRACE_URL TOKEN AGENT…; prints its port.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { CopilotRuntime, InMemoryAgentRunner } from '@copilotkit/runtime/v2'
import { createCopilotNodeListener } from '@copilotkit/runtime/v2/node'
import { stoppingFetch } from '../pages/stopping-fetch.ts'

const [url = '', token = '', ...names] = process.argv.slice(2)

// The runtime pins a version of the protocol's client, and its pages refuse what a newer one asks for.
const pinned = createRequire(createRequire(import.meta.url).resolve('@copilotkit/runtime')).resolve('@ag-ui/client')
const { HttpAgent } = (await import(pathToFileURL(pinned).href)) as typeof import('@ag-ui/client')
const headers = { authorization: `Bearer ${token}` }

type Agents = ConstructorParameters<typeof CopilotRuntime>[0]['agents']

const agents = Object.fromEntries(
  names.map((name) => [name, new HttpAgent({ url: `${url}/api/ag-ui/${name}`, headers, fetch: stoppingFetch })]),
)
const runtime = new CopilotRuntime({ agents: agents as unknown as Agents, runner: new InMemoryAgentRunner() })
const server = createServer(createCopilotNodeListener({ runtime, basePath: '/runtime' }))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
