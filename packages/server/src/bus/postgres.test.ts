import { postgresAbsence } from '@millrace/testkit/repository/servers/postgres'
import { sharedPostgres } from '@millrace/testkit/repository/servers/shared'
import { describe, expect, it, vi } from 'vitest'
import { postgres } from './postgres.ts'

const why = postgresAbsence === undefined ? '' : `: ${postgresAbsence}`

describe('the bus of PostgreSQL', () => {
  it.skipIf(why !== '')(`carries any characters, whatever the encoding of the database${why}`, async () => {
    const server = await sharedPostgres({ fsync: false })
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const name = `bus_${encoding.toLowerCase()}`
      await server.query(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
      const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
      const open = () => postgres.open({ url, report: () => undefined })
      const [one, other] = await Promise.all([open(), open()])
      try {
        const received: string[] = []
        other.subscribe('水', (message) => received.push(message))
        await Promise.all([one.ready(), other.ready()])
        received.length = 0
        const messages = ['水', '\u{1f3de}', 'é', '\ud800', '\u0000\u007f\u0080']
        for (const message of messages) one.publish('水', message)
        await vi.waitFor(() => expect(received).toEqual(messages), { timeout: 10_000 })
      } finally {
        await Promise.all([one.close(), other.close()])
      }
    }
  })
})
