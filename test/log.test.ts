import { getLog, logs } from '@millrace/server/log/index'
import type { LogMember } from '@millrace/server/log/log'
import { logSuite } from '@millrace/testkit/log-suite'
import { servers } from '@millrace/testkit/repository/servers/index'
import { sharedLogs } from '@millrace/testkit/repository/servers/logs'
import { expect, it } from 'vitest'

const moduleOf = (path: string) => new URL(`../packages/${path}.ts`, import.meta.url).href
const sharedModule = moduleOf('testkit/repository/servers/logs')

for (const [name, member] of Object.entries<LogMember>(logs)) {
  const absence = servers[name]?.absence
  if (absence !== undefined) it.skip(`log: ${name}: ${absence}`)
  else if (member.isShared) logSuite(name, sharedLogs[name] ?? member, { reopen: { module: sharedModule, name } })
  else if (member.volatile !== undefined) logSuite(name, member, {})
  else logSuite(name, member, { reopen: { module: moduleOf(`server/src/log/${name}`), name } })
}

it('finds logs by name, and refuses an unknown name', () => {
  expect(getLog('memory')).toBe(logs.memory)
  for (const name of ['redis', 'toString', '__proto__', '']) {
    expect(() => getLog(name)).toThrow(expect.objectContaining({ code: 'unknown-log' }))
  }
})
