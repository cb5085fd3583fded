import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/log'

/** Live readers: every entry once, from memory where a reader is only a little behind, and nothing kept that all of them have. */
export const tails: Stage = {
  name: 'log: live readers',
  tests: ['test/log.test.ts', 'packages/server/src/log'],
  only: '^(?!.* killed )',
  mutants: [
    {
      file: `${folder}/tail-state.ts`,
      find: 'tail.isDue || tail.waiting',
      replace: 'tail.waiting',
      promise: 'readers get two commits of one moment from memory',
    },
    {
      file: `${folder}/tail-state.ts`,
      find: 'tail.waiting.length < tail.readers',
      replace: 'tail.readers > 0',
      promise: 'what all readers have does not grow old',
    },
    {
      file: `${folder}/tail-state.ts`,
      find: 'if (tail.isDue || tail.waiting.length < tail.readers) tail.batches',
      replace: 'if (tail.isDue) tail.batches',
      promise: 'a reader that is a little behind does not ask the store',
    },
    {
      file: `${folder}/tail-state.ts`,
      find: 'next.after > after ? undefined',
      replace: 'next.after > after + 1e9 ? undefined',
      promise: 'a reader that has fallen behind reads from the store',
    },
    {
      file: `${folder}/tail.ts`,
      find: 'tail.seq = Math.max(tail.seq, stored.seq)',
      replace: 'tail.seq = stored.seq',
      promise: 'entries that are committed while the store is read are not lost',
    },
    {
      file: `${folder}/tail-state.ts`,
      find: 'while (tail.entries > KEPT_ENTRIES || tail.characters > KEPT_CHARACTERS)',
      replace: 'while (tail.entries < 0)',
      promise: 'the entries in memory for live readers are bounded',
    },
    {
      file: `${folder}/tail.ts`,
      find: '      tail.trouble = reason\n',
      replace: '',
      promise: 'readers of a run that cannot be written are rejected',
    },
    {
      file: `${folder}/tail.ts`,
      find: '      wakeSoon(tail)\n',
      replace: '',
      promise: 'a commit wakes its readers',
    },
    {
      file: `${folder}/tail-reader.ts`,
      find: '    else this.#wakeUp()\n',
      replace: '',
      promise: 'a reader that waits ends when it is returned',
    },
    {
      file: `${folder}/tail-reader.ts`,
      find: 'if (this.#isAsked) queueMicrotask(() => receiver?.add(result))\n    else receiver?.add(result)',
      replace: 'receiver?.add(result)',
      promise: 'a long run is not read in one deep recursion',
    },
    {
      file: `${folder}/tail-reader.ts`,
      find: 'if (this.#isAsked) queueMicrotask(() => receiver?.fail(error))\n    else receiver?.fail(error)',
      replace: 'receiver?.fail(error)',
      promise: 'a reader is not failed within the call that asks it',
    },
  ],
}
