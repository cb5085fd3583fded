import { buses, getBus } from '@millrace/server/bus/index'
import { busSuite } from '@millrace/testkit/bus-suite'
import { servers } from '@millrace/testkit/repository/servers/index'
import { expect, it } from 'vitest'

const moduleOf = (name: string) => new URL(`../packages/server/src/bus/${name}.ts`, import.meta.url).href

for (const [name, member] of Object.entries(buses)) {
  const server = servers[name]
  if (server?.absence !== undefined) it.skip(`bus: ${name}: ${server.absence}`)
  else if (server === undefined) busSuite(name, member, {})
  else busSuite(name, member, { shared: { startServer: server.start, location: { module: moduleOf(name), name } } })
}

it('finds buses by name, and refuses an unknown name', () => {
  expect(getBus('local')).toBe(buses.local)
  for (const name of ['nats', 'toString', '__proto__', '']) {
    expect(() => getBus(name)).toThrow(expect.objectContaining({ code: 'unknown-bus' }))
  }
})
