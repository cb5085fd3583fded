import { parsers } from '@millrace/core/parse'
import { contentOf } from '@millrace/testkit/content'
import { eventsOf } from '@millrace/testkit/read-recording'
import type { Recording } from '@millrace/testkit/recordings'
import { fixturesOf } from '@millrace/testkit/repository/fixtures'
import { entriesOf } from '@millrace/testkit/runs'
import { describe, expect, it } from 'vitest'
import { compare, withoutUnshared } from '../proofs/wires/compare.ts'
import { viewers, wireFacts } from '../proofs/wires/facts.ts'
import { watchAll } from '../proofs/wires/watch-all.ts'

function scenarioOf(format: string): Recording {
  const scenario = fixturesOf(format).find(({ name }) => name.includes('scenario'))
  if (scenario === undefined) throw new Error(`fixtures/${format} has no scenario.`)
  return scenario
}

describe('a viewer on each wire of one live run', () => {
  it('is there for every wire that has a client', () => {
    const withClient = Object.keys(wireFacts).filter((wire) => typeof wireFacts[wire]?.client === 'function')
    expect(viewers.map(({ wire }) => wire)).toEqual(withClient)
  })

  it.each(['reasoning', 'tool-calls', 'subagent-content', 'other-roles'] as const)(
    'is compared with the others without what one of them loses: %s',
    (feature) => {
      const { records } = scenarioOf('langgraph')
      const entries = entriesOf(eventsOf(parsers.langgraph, records))
      const [all, shared] = [contentOf(entries, {}), contentOf(entries, { [feature]: 'Not carried.' })]
      expect(withoutUnshared(all, all, shared)).toEqual(shared)
      expect(withoutUnshared({ ...all, texts: all.texts.slice(0, -1) }, all, shared)).not.toEqual(shared)
    },
  )

  it.each(['claude-agent-sdk', 'langgraph', 'smolagents'])(
    'end with equal content, two of them cut and resumed: %s',
    async (format) => {
      const lines = Buffer.from(scenarioOf(format).bytes).toString().split('\n').filter(Boolean)
      const { findings, problems, shared } = await compare(await watchAll(format, lines, viewers))
      expect(findings.map(({ problem }) => problem)).toEqual(viewers.map(() => undefined))
      expect(problems).toEqual([])
      expect(findings.filter(({ connections }) => connections > 1)).toHaveLength(2)
      expect(shared.tools.length).toBeGreaterThan(2)
    },
  )
})
