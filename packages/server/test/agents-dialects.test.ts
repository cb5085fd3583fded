import { fileURLToPath } from 'node:url'
import { agentSuite } from '@millrace/testkit/agent-suite'
import { expect, it } from 'vitest'
import { dialects } from '../src/agents/dialects/index.ts'
import type { ProcessSpec } from '../src/agents/spec.ts'
import { answerApproval, stopRun } from '../src/run/ask.ts'
import { createProcessBench, scriptAgent } from './process-bench.ts'

const programOf = (dialect: string) => fileURLToPath(new URL(`./programs/dialects/${dialect}.mjs`, import.meta.url))

/** Programs that hear nothing while they run have no script. */
const spoken = Object.entries(dialects).filter(([, { can }]) => can.session !== undefined)

async function open(dialect: string) {
  const command = [process.execPath, programOf(dialect)]
  const bench = await createProcessBench(scriptAgent('', { command, dialect: dialect as ProcessSpec['dialect'] }))
  return {
    ...bench,
    answer: (runId: string, approvalId: string, answer: Parameters<typeof answerApproval>[3]) =>
      answerApproval(bench.runs, runId, approvalId, answer),
    steer: (runId: string, text: string) =>
      bench.runs.tell(runId, { command: { type: 'steer', messageId: 'm', text, when: 'now' } }),
    stop: (runId: string) => stopRun(bench.runs, runId),
  }
}

for (const [name, { can }] of spoken) agentSuite({ name, can, open: () => open(name) })

it('acp: a request that is unknown is refused at once', async () => {
  const bench = await open('acp')
  await bench.start('r', 'unknown')
  expect(JSON.stringify(await bench.ended('r'))).toContain('Refused with -32601.')
})
