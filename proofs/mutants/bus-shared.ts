import type { Mutant } from './mutant.ts'

const folder = 'packages/server/src/bus'

/** In what every shared member does. */
export const busStage: readonly Mutant[] = [
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

export const busMembers: readonly Mutant[] = [
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
