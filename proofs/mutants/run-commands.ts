import type { Stage } from './mutant.ts'
import { agents } from './run-hearers.ts'
import { owners } from './run-owners.ts'
import { commands, steering } from './run-steering.ts'

const tests = 'packages/server/test'

/** Runs among several nodes: one owner, and what is asked of a run is done once, in order, and has a result. */
export const runCommands: Stage = {
  name: 'run: commands and owners',
  tests: [
    `${tests}/run-commands.test.ts`,
    `${tests}/run-host.test.ts`,
    `${tests}/run-steering.test.ts`,
    `${tests}/run-messages.test.ts`,
    `${tests}/run-nodes.test.ts`,
    `${tests}/run-meets.test.ts`,
    `${tests}/run-overtaken.test.ts`,
    `${tests}/run-lost-lease.test.ts`,
    `${tests}/run-recover.test.ts`,
    `${tests}/run-producers.test.ts`,
    `${tests}/run-full-disk.test.ts`,
    `${tests}/run-questions.test.ts`,
    `${tests}/run-stop.test.ts`,
    `${tests}/commands-stream.test.ts`,
    `${tests}/remote-producer.test.ts`,
  ],
  // The same promises hold over every log, and without a second program.
  only: '^(?!.*(sqlite|Python))',
  mutants: [...steering, ...commands, ...owners, ...agents],
}
