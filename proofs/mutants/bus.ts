import { busMembers, busStage } from './bus-shared.ts'
import type { Mutant, Stage } from './mutant.ts'

const folder = 'packages/server/src/bus'

const listening: readonly Mutant[] = [
  {
    file: `${folder}/listeners.ts`,
    find: 'if (listeners.has(listener)) listener(message)',
    replace: 'listener(message)',
    promise: 'a listener that was removed meanwhile is not called',
  },
  {
    file: `${folder}/listeners.ts`,
    find: '        process.emitWarning(error instanceof Error ? error : String(error))\n',
    replace: '        throw error\n',
    promise: 'a listener that throws disturbs nobody',
  },
  {
    file: `${folder}/listeners.ts`,
    find: 'const own = (message: string) => listener(message)',
    replace: 'const own = listener',
    promise: 'a listener that is added twice is removed twice',
  },
  {
    file: `${folder}/listeners.ts`,
    find: 'if (!listeners.delete(own) || listeners.size > 0) return',
    replace: 'listeners.delete(own)\n        if (listeners.size > 0) return',
    promise: 'who is removed twice removes nobody else',
  },
  {
    file: `${folder}/names.ts`,
    find: "'utf16le'",
    replace: "'utf8'",
    promise: 'topics with different lone surrogates are different',
  },
  {
    file: `${folder}/names.ts`,
    find: '[!-~]{0,79}$',
    replace: '[!-~]*$',
    promise: 'a topic may have any length',
  },
  {
    file: `${folder}/names.ts`,
    find: '/^[\\w-]{1,40}$/',
    replace: '/^[\\w:-]{1,50}$/',
    promise: 'scopes do not hear each other',
  },
  {
    file: `${folder}/local.ts`,
    find: 'queueMicrotask(() => listeners.call(topic, sent))',
    replace: 'listeners.call(topic, sent)',
    promise: 'no listener runs inside the publisher',
  },
  {
    file: `${folder}/local.ts`,
    find: "isLonger(message, LARGEST_MESSAGE) ? '' : message",
    replace: 'message',
    promise: 'the largest message of the local bus is the declared one',
  },
]

const outbox: readonly Mutant[] = [
  {
    file: `${folder}/outbox.ts`,
    find: '      size += sizeOf(outgoing)\n',
    replace: '',
    promise: 'memory is bounded while nothing can be sent',
  },
  {
    file: `${folder}/outbox.ts`,
    find: '      size -= taken\n',
    replace: '',
    promise: 'messages stay whole, however many there have been',
  },
  {
    file: `${folder}/outbox.ts`,
    find: 'replace([...names].map((name) => ({ name, text: everyone.text })))',
    replace: 'replace([])',
    promise: 'a full outbox leaves each topic a message',
  },
  {
    file: `${folder}/outbox.ts`,
    find: 'if (size > LARGEST_OUTBOX / 2) replace([everyone])',
    replace: 'if (size > LARGEST_OUTBOX / 2) replace([])',
    promise: 'if there are too many topics, all listeners are called',
  },
  {
    file: `${folder}/outbox.ts`,
    find: '[everyone] : [...batch, ...waiting])',
    replace: '[everyone] : waiting)',
    promise: 'a batch that was not sent is sent again',
  },
]

const links: readonly Mutant[] = [
  {
    file: `${folder}/link.ts`,
    find: 'connection.check()).catch(lost)',
    replace: 'connection.check()).catch(() => undefined)',
    promise: 'a server that does not answer is lost',
  },
  {
    file: `${folder}/link.ts`,
    find: 'Math.min(2 * pause, LONGEST_PAUSE)',
    replace: '2 * pause',
    promise: 'a lost server is tried again at least every five seconds',
  },
  {
    file: `${folder}/link.ts`,
    find: 'pause = Math.min(2 * pause, LONGEST_PAUSE)',
    replace: 'pause = FIRST_PAUSE',
    promise: 'a lost server is not tried again all the time',
  },
  {
    file: `${folder}/link.ts`,
    find: '      pause = FIRST_PAUSE\n',
    replace: '',
    promise: 'after a connection that lasted, the first pause is short',
  },
  {
    file: `${folder}/link.ts`,
    find: 'if (connection === current) interrupt(error)',
    replace: 'interrupt(error)',
    promise: 'the loss of an earlier connection does not end the next one',
  },
  {
    file: `${folder}/link.ts`,
    find: 'await within(OPEN_WITHIN, Promise.race([connection.opened, loss.promise]))',
    replace: 'await Promise.race([connection.opened, loss.promise])',
    promise: 'a connection that does not open is given up',
  },
  {
    file: `${folder}/link.ts`,
    find: "      up.reject(new BusError('bus-closed', 'become ready'))\n",
    replace: '',
    promise: 'nobody waits for a closed bus',
  },
]

/** What wakes other processes: lossy, but never silently. */
export const bus: Stage = {
  name: 'bus',
  tests: ['packages/server/src/bus', 'test/bus.test.ts'],
  mutants: [...listening, ...outbox, ...links, ...busStage, ...busMembers],
}
