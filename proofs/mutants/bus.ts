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

const stage: readonly Mutant[] = [
  {
    file: `${folder}/shared-bus.ts`,
    find: 'onUp: listeners.callAll,',
    replace: 'onUp: () => undefined,',
    promise: 'all listeners are called after a lost connection',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: "() => listeners.call(name, ''),",
    replace: '() => undefined,',
    promise: 'a listener is called when its subscription has reached the server',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '[names.everyone, ...listeners.names()]',
    replace: '[names.everyone]',
    promise: 'topics are followed again after a lost connection',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '[names.everyone, ...listeners.names()]',
    replace: '[...listeners.names()]',
    promise: 'every process hears what is for everyone',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: 'if (name === names.everyone) listeners.callAll()',
    replace: "if (name === '') listeners.callAll()",
    promise: 'what is for everyone reaches every listener',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: 'queueMicrotask(() => listeners.call(name, sent))',
    replace: 'listeners.call(name, sent)',
    promise: 'no listener runs inside the publisher',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '      queueMicrotask(() => listeners.call(name, sent))\n',
    replace: '',
    promise: 'the listeners of the own process are called',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: "isLonger(message, transport.largestMessage) ? '' : message",
    replace: 'message',
    promise: 'a message that is too long for the server becomes an empty one',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '        sending.lose(connection, error)\n',
    replace: '',
    promise: 'a batch that was refused is sent again without a further message',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '        outbox.putBack(batch)\n',
    replace: '',
    promise: 'a batch whose connection was lost is sent again',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: 'if (isFlushing) await',
    replace: 'if (!isFlushing) await',
    promise: 'what was published before the end is sent',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '    onUp: flush,\n',
    replace: '    onUp: () => undefined,\n',
    promise: 'what waited for a connection is sent when it is there',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: 'listening.current?.leave(name)',
    replace: 'void name',
    promise: 'a topic is followed only while somebody listens',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: 'const isNew = failing.size === 0',
    replace: 'const isNew = !failing.has(name)',
    promise: 'an outage of both connections is reported once',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: '    listeners.clear()\n',
    replace: '',
    promise: 'a closed bus calls no listener',
  },
  {
    file: `${folder}/shared-bus.ts`,
    find: 'if (transport.pause > 0) await',
    replace: 'if (transport.pause < 0) await',
    promise: 'batches are as far apart as the member asks',
  },
  {
    file: `${folder}/messages.ts`,
    find: '      if (text.startsWith(mark)) return undefined\n',
    replace: '',
    promise: 'a bus does not hear itself',
  },
  {
    file: `${folder}/messages.ts`,
    find: 'Buffer.byteLength(text) > limit)',
    replace: 'text.length > limit)',
    promise: 'the largest message is counted in bytes',
  },
]

const members: readonly Mutant[] = [
  {
    file: `${folder}/postgres.ts`,
    find: 'payload.length + 1 + line.length > LARGEST_PAYLOAD',
    replace: 'payload.length + 1 + line.length > 2 * LARGEST_PAYLOAD',
    promise: 'no payload is longer than PostgreSQL takes',
  },
  {
    file: `${folder}/postgres.ts`,
    find: 'return [...payloads, payload]',
    replace: 'return payloads.length > 0 ? payloads : [payload]',
    promise: 'the last payload of a batch is sent',
  },
  {
    file: `${folder}/postgres.ts`,
    find: '${asciiOf(text)}',
    replace: '${text}',
    promise: 'the encoding of the database does not matter',
  },
  {
    file: `${folder}/redis.ts`,
    find: 'client.subscribe([...names], onMessage)',
    replace: 'client.subscribe([...names].slice(0, 1), onMessage)',
    promise: 'all topics are followed',
  },
]

/** What wakes other processes: lossy, but never silently. */
export const bus: Stage = {
  name: 'bus',
  tests: ['packages/server/src/bus', 'test/bus.test.ts'],
  mutants: [...listening, ...outbox, ...links, ...stage, ...members],
}
