import type { Client, QueryConfig } from 'pg'
import type { BusMember } from './bus.ts'
import { checkUrl } from './errors.ts'
import type { Connection } from './link.ts'
import type { Outgoing } from './outbox.ts'
import { createSharedBus } from './shared-bus.ts'

const CHANNEL = 'millrace'

/** What PostgreSQL takes as one notification, in bytes. */
const LARGEST_PAYLOAD = 7_999

/** A character takes at most six bytes in a payload, and mark, name and quotes have room beside it. */
const LARGEST_MESSAGE = 1_280

/** In one statement: each commit of a notification takes a lock of the whole server. */
const NOTIFY = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload'

/** NOTIFY and LISTEN, never in a transaction of the log. The URL must lead to the server itself, not to a pool. */
export const postgres: BusMember = {
  largestMessage: LARGEST_MESSAGE,
  async open(options) {
    const { Client: PgClient } = await import('pg')
    checkUrl(options.url, ['postgres:', 'postgresql:'], (connectionString) => new PgClient({ connectionString }))

    const connect = (lost: (error: unknown) => void) => {
      const client = new PgClient({ connectionString: options.url, application_name: 'millrace bus' })
      client.on('error', lost)
      client.on('end', () => lost(new Error('PostgreSQL has closed the connection.')))
      return client
    }

    return createSharedBus(
      {
        largestMessage: LARGEST_MESSAGE,
        pause: 3,
        listen(heard, lost) {
          const client = connect(lost)
          client.on('notification', ({ payload = '' }) => {
            for (const incoming of messagesIn(payload)) heard(incoming)
          })
          const { query, ...connection } = connectionOf(client)
          const opened = connection.opened.then(() => query({ text: `LISTEN ${CHANNEL}` }))
          // The one channel has all messages.
          return { ...connection, opened, follow: () => undefined, leave: () => undefined }
        },
        send(lost) {
          const { query, ...connection } = connectionOf(connect(lost))
          const send = (batch: readonly Outgoing[]) =>
            query({ name: 'notify', text: NOTIFY, values: [CHANNEL, payloadsOf(batch)] })
          return { ...connection, send }
        },
      },
      options,
    )
  },
}

interface PgConnection extends Connection {
  query(config: QueryConfig): Promise<unknown>
}

function connectionOf(client: Client): PgConnection {
  let last: Promise<unknown> = client.connect()
  const opened = last

  /** One statement after another: a client that is asked during a statement warns. */
  function query(config: QueryConfig): Promise<unknown> {
    last = last.catch(() => undefined).then(() => client.query(config))
    return last
  }

  return {
    opened,
    query,
    check: () => query({ text: 'SELECT 1' }),
    async end() {
      // A server that does not answer would never let it end.
      const timer = setTimeout(() => client.connection.stream.destroy(), 1_000)
      await client.end().catch(() => undefined)
      clearTimeout(timer)
    },
  }
}

/** One message a line, several lines a payload. */
function payloadsOf(batch: readonly Outgoing[]): readonly string[] {
  const payloads: string[] = []
  let payload = ''
  for (const { name, text } of batch) {
    const line = `${name} ${asciiOf(text)}`
    if (payload !== '' && payload.length + 1 + line.length > LARGEST_PAYLOAD) {
      payloads.push(payload)
      payload = ''
    }
    payload += payload === '' ? line : `\n${line}`
  }
  return [...payloads, payload]
}

function messagesIn(payload: string): readonly Outgoing[] {
  return payload.split('\n').map((line) => {
    const end = line.indexOf(' ')
    return { name: line.slice(0, end), text: line.slice(end + 1) }
  })
}

/** JSON as ASCII: the encoding of the database does not matter. */
const asciiOf = (json: string) =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
