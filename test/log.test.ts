import { getLog, logs } from '@millrace/server/log/index'
import { logSuite } from '@millrace/testkit/log-suite'
import { expect, it } from 'vitest'

const moduleOf = (name: string) => new URL(`../packages/server/src/log/${name}.ts`, import.meta.url).href

for (const [name, member] of Object.entries(logs)) {
  logSuite(name, member, member.volatile === undefined ? { reopen: { module: moduleOf(name), name } } : {})
}

it('finds logs by name, and refuses an unknown name', () => {
  expect(getLog('memory')).toBe(logs.memory)
  for (const name of ['redis', 'toString', '__proto__', '']) {
    expect(() => getLog(name)).toThrow(expect.objectContaining({ code: 'unknown-log' }))
  }
})
