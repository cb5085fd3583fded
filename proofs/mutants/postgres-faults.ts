import type { Mutant, Stage } from './mutant.ts'

const log = 'packages/server/src/log'
const folder = `${log}/postgres`

const failing: readonly Mutant[] = [
  {
    file: `${folder}/appends.ts`,
    find: 'if (isRepeated && !isLate) wait(',
    replace: 'if (isCollision(error) && !isLate) wait(',
    promise: 'an append survives a lost connection',
  },
  {
    file: `${folder}/appends.ts`,
    find: '    checkRepeated(head, request, parseLines(found), parseLines(lines))\n',
    replace:
      "    if (found.length === 0) throw new LogError('run-closed', request.runId)\n    checkRepeated(head, request, [], [])\n",
    promise: 'an append whose answer was lost is recognised',
  },
  {
    file: `${folder}/appends.ts`,
    find: 'if (jobs.length > 1 && !isRepeated) {',
    replace: 'if (jobs.length > 1_000) {',
    promise: 'an append that cannot be stored fails alone',
  },
  {
    file: `${folder}/append-statement.ts`,
    find: "${skips ? ' SKIP LOCKED' : ''}",
    replace: '',
    promise: 'a locked run delays no other',
  },
  {
    file: `${folder}/runs.ts`,
    find: 'row.is_taken || row.token === token',
    replace: 'row.is_taken',
    promise: 'a run is acquired once, although the answer is lost',
  },
  {
    file: `${folder}/connections.ts`,
    find: '  PERFORM pg_advisory_xact_lock(${LOCK});\n',
    replace: '',
    promise: 'one process migrates at a time',
  },
  {
    file: `${folder}/session.ts`,
    find: " set_config('jit', 'off', false),",
    replace: '',
    promise: 'no statement is compiled',
  },
  {
    file: `${folder}/connections.ts`,
    find: 'IF found > ${steps.length} THEN',
    replace: 'IF found > ${steps.length} + 1000 THEN',
    promise: 'tables of a newer release are refused',
  },
]

export const postgresFaults: Stage = {
  name: 'postgres, faults',
  tests: [`${folder}/faults.test.ts`, `${folder}/migrations.test.ts`],
  mutants: failing,
}
