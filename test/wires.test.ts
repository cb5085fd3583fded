import { fixturesOf } from '@millrace/testkit/fixtures'
import { describe, expect, it } from 'vitest'
import { compare } from '../proofs/wires/compare.ts'
import { viewers } from '../proofs/wires/facts.ts'
import { watchAll } from '../proofs/wires/watch-all.ts'

describe('a viewer on each wire of one live run', () => {
  it.each(['claude-agent-sdk', 'langgraph', 'smolagents'])(
    'end with equal content, two of them cut and resumed: %s',
    async (format) => {
      const scenario = fixturesOf(format).find(({ name }) => name.includes('scenario'))
      const lines = Buffer.from(scenario?.bytes ?? [])
        .toString()
        .split('\n')
        .filter(Boolean)
      const { findings, problems, shared } = await compare(await watchAll(format, lines, viewers))
      expect(findings.map(({ problem }) => problem)).toEqual(viewers.map(() => undefined))
      expect(problems).toEqual([])
      expect(findings.filter(({ connections }) => connections > 1)).toHaveLength(2)
      expect(shared.tools.length).toBeGreaterThan(2)
    },
  )
})
