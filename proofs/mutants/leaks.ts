import type { Stage } from './mutant.ts'

const server = 'packages/server/src'

/** Leaks: what is kept of a viewer or a run once it has ended. A load of seconds must show each. */
export const leaks: Stage = {
  name: 'leaks',
  tests: ['test/faults.test.ts'],
  only: 'F23',
  timeout: 180_000,
  mutants: [
    {
      file: `${server}/deliver/fan-out.ts`,
      find: '      group.convoys = group.convoys.concat(convoy)\n',
      replace:
        '      group.convoys = group.convoys.concat(convoy)\n      all.set(`${Math.random()}`, { convoys: [convoy] })\n',
      promise: 'a convoy without viewers is dropped',
    },
    {
      file: `${server}/deliver/sink.ts`,
      find: "  sink.closed.addEventListener('abort', () => sinks.delete(sink), { once: true })\n",
      replace: '',
      promise: 'what would cut a connection when the server stops goes with it',
    },
    {
      file: `${server}/deliver/viewer.ts`,
      find: "    watch.signal.addEventListener('abort', this.#onAbort, { once: true })\n",
      replace:
        "    watch.signal.addEventListener('abort', this.#onAbort, { once: true })\n    process.on('exit', this.#onAbort)\n",
      promise: 'no listener of a viewer outlives it',
    },
    {
      file: `${server}/log/tail.ts`,
      find: 'if (tail.readers === 0 && tails.get(runId) === tail) remove(runId)',
      replace: '',
      promise: 'the last entries of a run are kept while it has readers',
    },
    {
      file: `${server}/run/owned-runs.ts`,
      find: '    ownedRuns.delete(id)\n',
      replace:
        '    const left = ownedRuns.get(id)\n    ownedRuns.delete(id)\n    if (left !== undefined) ownedRuns.set(`${id} left`, left)\n',
      promise: 'a run that has ended is let go, with its parser and its fold',
    },
    {
      file: `${server}/log/sqlite/worker.ts`,
      find: '    const requests = requestsIn(message)\n',
      replace:
        '    const requests = requestsIn(message)\n    ;((globalThis as { kept?: unknown[] }).kept ??= []).push(requests)\n',
      promise: 'a thread of the log keeps nothing of what it has answered',
    },
    {
      file: `${server}/deliver/chunk-batch.ts`,
      find: 'const encoder = new TextEncoder()\n',
      replace:
        'const encoder = new TextEncoder()\nconst sent: Uint8Array[] = []\nconst { from } = Buffer\nBuffer.from = ((text: string) => sent[sent.push(from(text)) - 1]) as never\n',
      promise: 'bytes that were sent are dropped, too',
    },
  ],
}
