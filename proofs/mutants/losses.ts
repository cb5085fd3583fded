import type { Stage } from './mutant.ts'

/** The losses of a wire, and the join of the runs of a thread. */
export const losses: Stage = {
  name: 'losses',
  tests: [
    'packages/core/src/meaning/feature-counter.test.ts',
    'packages/core/src/fold/join-runs.test.ts',
    'packages/core/src/api/lineage.test.ts',
  ],
  mutants: [
    {
      file: 'packages/core/src/meaning/feature-counter.ts',
      find: "runBy !== 'provider'",
      replace: 'true',
      promise: "a provider's output is not the agent's",
    },
    {
      file: 'packages/core/src/meaning/feature-counter.ts',
      find: "    if (status === 'cancelled') return\n",
      replace: '',
      promise: 'a call that was cancelled has no output to lose',
    },
    {
      file: 'packages/core/src/losses.ts',
      find: 'return count > 0 ? [{ feature, count, reason }] : []',
      replace: 'return [{ feature, count, reason }]',
      promise: 'a feature that does not occur in a run is not lost',
    },
    {
      file: 'packages/core/src/fold/join-runs.ts',
      find: 'return visible.length === 0 ? [] : patched(chatEvent, hidden, () => visible)',
      replace: 'return patched(chatEvent, hidden, () => visible)',
      promise: 'a message that contains only late outputs is not shown',
    },
    {
      file: 'packages/core/src/fold/subagent-walk.ts',
      find: 'inner === segment.segments ? segment : { ...segment, segments: inner }',
      replace: '{ ...segment, segments: inner }',
      promise: 'a subagent in which nothing changed keeps its identity',
    },
    {
      file: 'packages/core/src/api/lineage.ts',
      find: 'agent === undefined ? main[index - 1] : undefined',
      replace: 'main[index - 1]',
      promise: 'a run of an agent that continues no other begins the path',
    },
  ],
}
