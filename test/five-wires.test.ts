import { formats } from '@millrace/core/format'
import { fixturesOf } from '@millrace/testkit/fixtures'
import { describe, expect, it } from 'vitest'
import { compare } from '../scripts/five-wires/compare.ts'
import { viewers } from '../scripts/five-wires/viewers.ts'
import { watchAll } from '../scripts/five-wires/watch-all.ts'

describe('five viewers on five wires of one live run', () => {
  it('are one for every protocol that is not our own', () => {
    expect(viewers.map(({ wire }) => wire)).toEqual(Object.keys(formats).filter((wire) => wire !== 'native'))
  })

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
