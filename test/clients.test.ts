import { parsers } from '@millrace/core/parse'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { describe, expect, it } from 'vitest'
import { AG_UI_VERSIONS } from '../proofs/clients/ag-ui.ts'
import { AI_SDK_VERSIONS } from '../proofs/clients/ai-sdk.ts'
import { describeRecording } from '../proofs/clients/recorded.ts'
import { verdictOf } from '../proofs/clients/report.ts'
import { tryClients } from '../proofs/clients/try.ts'
import { WRITTEN } from '../proofs/clients/written.ts'

/** One recording of each format: the scenario, which has something of everything. */
const scenarios = Object.keys(parsers).flatMap((format) =>
  fixturesOf(format)
    .filter(({ name }) => name.startsWith(`${format}/scenario.`))
    .map((recording) => describeRecording(format, recording)),
)

function fixture(format: string, name: string) {
  const recording = fixturesOf(format).find((each) => each.name.startsWith(`${format}/${name}.`))
  if (recording === undefined) throw new Error(`There is no fixture ${format}/${name}.`)
  return describeRecording(format, recording)
}

describe('the published clients, against a server that plays recordings', () => {
  it('S0-6, S0-7: read one recording of each format, live, replayed and resumed, and end with the folded content', async () => {
    expect(scenarios).toHaveLength(Object.keys(parsers).length)
    const tried = await tryClients(scenarios, 4)
    expect(verdictOf(tried).problems).toEqual([])
    const clients = tried.map(({ trials }) => trials.map(({ client }) => client))
    const published = [...AI_SDK_VERSIONS, ...AG_UI_VERSIONS].flatMap(({ columns }) => columns)
    expect(clients).toEqual(scenarios.map(() => [...published, ...WRITTEN]))
  })

  it('answer questions, and read what follows', async () => {
    const asking = [
      fixture('acp', 'permissions'),
      fixture('claude-agent-sdk', 'permissions'),
      fixture('langgraph', 'approval-answered'),
      // A question that is asked while another is answered, and one that the run ends with.
      fixture('ag-ui', 'interrupt-resumed'),
      fixture('chat-events', 'waiting'),
    ]
    expect(verdictOf(await tryClients(asking, 2)).problems).toEqual([])
  })

  it('send nothing by themselves if the server provides the outputs of their own tools', async () => {
    const recordings = [fixture('gemini', 'server-tools'), fixture('openai-responses', 'apply-patch')]
    expect(verdictOf(await tryClients(recordings, 2)).problems).toEqual([])
  })
})
