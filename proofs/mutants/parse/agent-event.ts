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
    find: 'voice.pause(out)\n      out.push(...call)',
    replace: 'out.push(...call)',
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
    find: "raw.isError === true ? 'error' : 'ok'",
    replace: "raw.error ? 'error' : 'ok'",
    promise: 'a result that is an error has failed',
  },
  {
    file: `${agentEvent}.ts`,
    find: 'const isOther = raw.runId !== undefined && raw.runId !== runId',
    replace: 'const isOther = false',
    promise: 'a second run whose sequence numbers begin again is read completely',
  },
  {
    file: `${agentEvent}.ts`,
    find: 'else if (ownId !== runId) lastSeq = Number.NEGATIVE_INFINITY',
    replace: '',
    promise: 'a second run that a record without a number announces is read completely',
  },
  {
    file: `${agentEvent}.ts`,
    find: '    calls.clear()',
    replace: '',
    promise: 'a result of the second run does not go to a call of the first',
  },
  {
    file: `${agentEvent}.ts`,
    find: 'if (isNext) ending = undefined',
    replace: '',
    promise: 'a second run that is cut off has not ended as the first did',
  },
  {
    file: `${agentEvent}.ts`,
    find: 'ending ?? {',
    replace: '{',
    promise: 'a final event after an error does not make it a success',
  },
]
