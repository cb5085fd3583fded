import type { Mutant } from '../mutant.ts'

const agentEvent = 'packages/core/src/parse/agent-event'

export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/parse/agent-event.ts',
    find: "if (typeof raw.seq === 'number' && raw.seq <= lastSeq",
    replace: 'if (raw.seq !== undefined && raw.seq <= lastSeq',
    promise: 'a record without a sequence number does not count as repeated',
  },
  {
    file: `${agentEvent}/calls.ts`,
    find: 'if (found === undefined || call.depth > found.depth) found = call',
    replace: 'found = call',
    promise: 'results are assigned to parallel calls in order',
  },
  {
    file: `${agentEvent}/calls.ts`,
    find: 'call.isAtWork = true',
    replace: 'call.isAtWork = false',
    promise: 'results are assigned to nested calls from the innermost',
  },
  {
    file: `${agentEvent}.ts`,
    find: 'return [...endText(), ...events]',
    replace: 'return events',
    promise: 'text after a call is a new block',
  },
  {
    file: `${agentEvent}.ts`,
    find: "if (typeof raw.seq === 'number' && raw.seq <= lastSeq && !isOther) return SILENT",
    replace: '',
    promise: 'a repeated record is not read again',
  },
  {
    file: `${agentEvent}/calls.ts`,
    find: 'if (raw.isError !== true) return [',
    replace: 'if (raw.error === undefined) return [',
    promise: 'a result that is an error has failed',
  },
]
