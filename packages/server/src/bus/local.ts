import type { BusMember } from './bus.ts'
import { BusError } from './errors.ts'
import { createListeners } from './listeners.ts'
import { isLonger } from './messages.ts'

const LARGEST_MESSAGE = 64 * 1024

/** Without a server: for one process, or for tests. */
export const local: BusMember = {
  confined: 'it has no server',
  largestMessage: LARGEST_MESSAGE,
  async open() {
    const listeners = createListeners({ began: () => undefined, ended: () => undefined })
    let isClosed = false
    return {
      publish(topic, message) {
        const sent = isLonger(message, LARGEST_MESSAGE) ? '' : message
        // Later: a listener must not run inside the publisher.
        queueMicrotask(() => listeners.call(topic, sent))
      },
      subscribe: (topic, listener) => (isClosed ? () => undefined : listeners.add(topic, listener)),
      async ready() {
        if (isClosed) throw new BusError('bus-closed', 'become ready')
      },
      async close() {
        isClosed = true
        listeners.clear()
      },
    }
  },
}
