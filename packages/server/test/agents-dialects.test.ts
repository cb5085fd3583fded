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

async function open(dialect: string, more: Partial<ProcessSpec> = {}) {
  const command = [process.execPath, programOf(dialect)]
  const spec = { command, dialect: dialect as ProcessSpec['dialect'], ...more }
  const bench = await createProcessBench(scriptAgent('', spec))
  return {
    ...bench,
    answer: (runId: string, approvalId: string, answer: Parameters<typeof answerApproval>[3]) =>
      answerApproval(bench.runs, runId, approvalId, answer),
    steer: (runId: string, text: string) =>
      bench.runs.tell(runId, { command: { type: 'steer', messageId: 'm', text, when: 'now' } }),
    stop: (runId: string) => stopRun(bench.runs, runId),
  }
}

const failure = { code: 'agent-exit', says: 'code 3' }

for (const [name, { can }] of spoken) agentSuite({ name, can, failure, open: () => open(name) })

it('acp: “for this session” does not write into the settings of the person', async () => {
  const bench = await open('acp')
  await bench.start('r', 'ask')
  const asked = await bench.seen('r', ({ type }) => type === 'approval')
  const approvalId = asked.type === 'approval' ? asked.approvalId : ''
  await bench.answer('r', approvalId, { state: 'approved', remember: 'session' })
  expect(JSON.stringify(await bench.ended('r'))).toContain('It was approved for the session.')
})

it("acp: a person is asked, even if the agent's own settings say that it decides itself", async () => {
  const bench = await open('acp')
  await bench.start('r', 'mode')
  expect(JSON.stringify(await bench.ended('r'))).toContain('Its mode is default.')
})

it('codex: asks for no turns of a conversation that it continues, because the log has them', async () => {
  const bench = await open('codex')
  await bench.start('r1', 'Hello')
  await bench.ended('r1')
  await bench.start('r2', 'Again')
  expect(JSON.stringify(await bench.ended('r2'))).not.toContain('deprecated')
})

it('acp: a request that is unknown is refused at once', async () => {
  const bench = await open('acp')
  await bench.start('r', 'unknown')
  expect(JSON.stringify(await bench.ended('r'))).toContain('Refused with -32601.')
})

const prefixes = { 'old ': 'old session-1', 'no ': 'session-1' }
for (const [loadPrefix, loaded] of Object.entries(prefixes)) {
  it(`acp: with the prefix "${loadPrefix}" each later turn continues ${loaded}`, async () => {
    const bench = await open('acp', { loadPrefix })
    const said = async (runId: string) => {
      await bench.start(runId, 'Hello')
      return JSON.stringify(await bench.ended(runId))
    }
    expect(await said('r1')).toContain('<none> Hello')
    expect(await said('r2')).toContain(`<${loaded}> Hello`)
    expect(await said('r3')).toContain(`<${loaded}> Hello`)
  })
}
