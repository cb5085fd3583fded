import { agentSuite } from '@millrace/testkit/agent-suite'
import { type EndpointName, endpoints } from '../src/agents/endpoints/index.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { httpAgent } from './http-bench.ts'
import { createProcessBench } from './process-bench.ts'
import { a2aScript } from './services/a2a.ts'
import { scripts } from './services/index.ts'
import { createService, type Script } from './services/service.ts'

async function open(endpoint: EndpointName, script: Script) {
  const service = await createService(script)
  const bench = await createProcessBench(httpAgent(endpoint, service.url))
  return {
    ...bench,
    answer: (runId: string, approvalId: string, answer: Parameters<typeof answerApproval>[3]) =>
      answerApproval(bench.runs, runId, approvalId, answer),
    steer: (runId: string, text: string) =>
      bench.runs.tell(runId, { command: { type: 'steer', messageId: 'm', text, when: 'now' } }),
    stop: (runId: string) => stopRun(bench.runs, runId),
    /** The service hears that the connection has ended a moment later. */
    async leftOver() {
      for (let tries = 0; service.open() > 0 && tries < 100; tries++)
        await new Promise((resolve) => setTimeout(resolve, 10))
      return service.open()
    },
  }
}

const codes: { readonly [Name in EndpointName]?: string } = { 'ag-ui': 'GAUGE' }

for (const [name, script] of Object.entries(scripts) as [EndpointName, () => Script][]) {
  const failure = { code: codes[name], says: 'The gauge is broken.' }
  agentSuite({ name, can: endpoints[name].can, failure, open: () => open(name, script()) })
}

agentSuite({
  name: 'a2a 0.3',
  can: endpoints.a2a.can,
  failure: { code: undefined, says: 'The gauge is broken.' },
  open: () => open('a2a', a2aScript(true)),
})
