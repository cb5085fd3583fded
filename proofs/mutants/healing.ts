import type { Stage } from './mutant.ts'

const run = 'packages/server/src/run'
const postgres = 'packages/server/src/log/postgres'

/** Nodes that recover by themselves when the log has been slow or away. */
export const healing: Stage = {
  name: 'healing',
  tests: [
    'packages/server/test/run-sweep.test.ts',
    `${postgres}/lease.test.ts`,
    `${postgres}/session.test.ts`,
    'packages/server/test/postgres-nodes.test.ts',
  ],
  mutants: [
    {
      file: `${run}/sweep.ts`,
      find: 'expired.filter(({ id }) => !deciding.has(id))',
      replace: '[...expired]',
      promise: 'a run is decided about once at a time',
    },
    {
      file: `${run}/sweep.ts`,
      find: '        if (isFoundAgain) after(0)\n',
      replace: '',
      promise: 'a run that expired again while it was decided about is looked at again',
    },
    {
      file: `${run}/sweep.ts`,
      find: '    if (isListing) return\n',
      replace: '',
      promise: 'one list is asked for at a time',
    },
    {
      file: `${run}/sweep.ts`,
      find: 'Math.max(fired.at, performance.now())',
      replace: 'fired.at',
      promise: 'all that became due during a look leads to one more',
    },
    {
      file: `${run}/sweep.ts`,
      find: '      isListing = false\n      arm()\n',
      replace: '      isListing = false\n',
      promise: 'what became due during a look is looked at',
    },
    {
      file: `${run}/serving.ts`,
      find: 'const found = services.get(runId)',
      replace: 'const found = undefined as Service | undefined',
      promise: 'a run is served by one loop',
    },
    {
      file: `${run}/serving.ts`,
      find: '      found.isDue = true\n',
      replace: '',
      promise: 'what is asked for during a look leads to another',
    },
    {
      file: `${run}/serving.ts`,
      find: '      found.rest.abort()\n',
      replace: '',
      promise: 'whoever asks does not wait for the end of a pause',
    },
    {
      file: `${run}/serving.ts`,
      find: '        service.isDue = true\n',
      replace: '',
      promise: 'a run that could not be served is served later',
    },
    {
      file: `${postgres}/lease.ts`,
      find: 'await lease.query(JOIN',
      replace: 'await write(JOIN',
      promise: 'a lease does not wait behind other statements',
    },
    {
      file: `${postgres}/lease.ts`,
      find: 'if (elapsedSince(sentAt) < fencedAfter) return',
      replace: 'return',
      promise: 'a lease that has ended before it was granted is not used',
    },
    {
      file: `${postgres}/lease.ts`,
      find: 'if (nextBurial !== undefined) return nextBurial\n',
      replace: '',
      promise: 'one statement buries for all who ask',
    },
    {
      file: `${postgres}/lease.ts`,
      find: 'WHERE n.session = application_name AND',
      replace: 'WHERE false AND',
      promise: 'a process that has joined again keeps its connections',
    },
    {
      file: `${postgres}/session.ts`,
      find: '      timer = setTimeout(() => made.connection.stream.destroy(), CONNECT_WITHIN)\n',
      replace: '',
      promise: 'a connection that falls silent while it is made is given up',
    },
  ],
}
