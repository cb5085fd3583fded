import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demo } from '@millrace/server/run/demo'
import { describe, expect, it } from 'vitest'
import { agentSettings, listAgents } from './agents.ts'

const data = mkdtempSync(join(tmpdir(), 'millrace-agents-'))

async function namesOf(agent: readonly string[], isLocal: boolean) {
  const list = await listAgents(agentSettings({ agent }, {}), { data, isLocal, builtIn: [demo()] })
  return list().map(({ name }) => name)
}

describe('the agents of a server', () => {
  it('begin with the demo: a shell is there, and never the default', async () => {
    expect((await namesOf([], true)).slice(0, 2)).toEqual(['demo', 'workshop'])
    expect((await namesOf(['workshop'], true)).slice(0, 2)).toEqual(['demo', 'workshop'])
  })

  it('are only those that were named if other machines reach the server', async () => {
    expect(await namesOf([], false)).toEqual(['demo'])
    expect(await namesOf(['workshop'], false)).toEqual(['demo', 'workshop'])
    expect(await namesOf(['codex', 'own=node agent.js'], false)).toEqual(['own', 'demo', 'codex'])
  })

  it('cannot be named by a word that is none of this machine', async () => {
    await expect(namesOf(['nothing'], true)).rejects.toThrow('--agent must be a name and a command, not "nothing".')
  })
})
