import type { BusMember } from './bus.ts'
import { checkUrl } from './errors.ts'
import { createSharedBus } from './shared-bus.ts'

const LARGEST_MESSAGE = 64 * 1024

/** PUBLISH and SUBSCRIBE, with a channel for each topic that somebody listens to here. */
export const redis: BusMember = {
  largestMessage: LARGEST_MESSAGE,
  async open(options) {
    const { createClient, RedisClient } = await import('@redis/client')
    checkUrl(options.url, ['redis:', 'rediss:'], RedisClient.parseURL)

    const connect = (lost: (error: unknown) => void) => {
      const client = createClient({
        url: options.url,
        // Its oldest protocol has all that is needed, and every server speaks it.
        RESP: 2,
        // A lost connection is made again outside, as that of every member.
        socket: { reconnectStrategy: false },
        disableOfflineQueue: true,
        // The link asks whether the server still answers: no timer for each message.
        commandOptions: { timeout: 0 },
        maintNotifications: 'disabled',
      })
      client.on('error', lost)
      client.on('end', () => lost(new Error('Redis has closed the connection.')))
      return {
        client,
        opened: client.connect(),
        check: () => client.ping(),
        async end() {
          client.destroy()
        },
      }
    }

    return createSharedBus(
      {
        largestMessage: LARGEST_MESSAGE,
        pause: 0,
        listen(heard, lost) {
          const { client, ...connection } = connect(lost)
          const onMessage = (text: string, name: string) => heard({ name, text })
          return {
            ...connection,
            follow: (names) => client.subscribe([...names], onMessage),
            leave(name) {
              // If it fails, the connection is lost, and the next one does not follow the name.
              client.unsubscribe(name, onMessage).catch(() => undefined)
            },
          }
        },
        send(lost) {
          const { client, ...connection } = connect(lost)
          // Written together: the client does not wait for one reply before the next command.
          const send = (batch: readonly { name: string; text: string }[]) =>
            Promise.all(batch.map(({ name, text }) => client.publish(name, text)))
          return { ...connection, send }
        },
      },
      options,
    )
  },
}
