import type { Mutant, Stage } from './mutant.ts'

const folder = 'proofs/faults'

const mutants: readonly Mutant[] = [
  {
    file: `${folder}/rounds.ts`,
    find: '    if (done.has(seed)) continue\n',
    replace: '',
    promise: 'a round that was played is not played again',
  },
  {
    file: `${folder}/rounds.ts`,
    find: 'last.seed + last.count === seed && last.count < most',
    replace: 'last.seed + last.count === seed',
    promise: 'a store has so many rounds at most',
  },
  {
    file: `${folder}/rounds.ts`,
    find: '[...samplesOf(before), ...value]',
    replace: 'value',
    promise: 'a finding has the samples of all parts',
  },
  {
    file: `${folder}/rounds.ts`,
    find: 'numberOf(before) + value',
    replace: 'value',
    promise: 'a finding has the sums of all parts',
  },
  {
    file: `${folder}/rounds.ts`,
    find: 'of parts.toSorted((one, other) => one.seed - other.seed)',
    replace: 'of parts',
    promise: 'ranges are in order',
  },
  {
    file: `${folder}/in-parts.ts`,
    find: '    file?.add(part)\n',
    replace: '',
    promise: 'a part is kept when it has ended',
  },
  {
    file: `${folder}/in-parts.ts`,
    find: '    broken: ordered.flatMap(({ broken }) => broken),\n',
    replace: '    broken: parts.at(-1)?.broken ?? [],\n',
    promise: 'what an earlier part has found is found',
  },
  {
    file: `${folder}/in-parts.ts`,
    find: '  const parts = () => file?.parts() ?? played\n',
    replace: '  const earlier = file?.parts() ?? []\n  const parts = () => [...earlier, ...played]\n',
    promise: 'what another process plays meanwhile is found',
  },
]

/** The rounds of the fault rig, played in parts that are added. */
export const faultsParts: Stage = { name: 'faults, parts', tests: ['test/faults-parts.test.ts'], mutants }

const server = 'packages/server/src'

/** A restart with many runs of all states in the log. */
export const faultsRestart: Stage = {
  name: 'faults, restart',
  tests: ['test/faults.test.ts'],
  only: 'restart with many runs',
  mutants: [
    {
      file: `${server}/run/unowned-runs.ts`,
      find: "      if (decided === 'interrupt' && !isAnswered) return await interrupt(run)\n",
      replace: '',
      promise: 'the runs of agents that a kill has ended are ended',
    },
    {
      file: `${server}/log/lease-rules.ts`,
      find: 'waitUntil <= now',
      replace: 'waitUntil > now',
      promise: 'a run that waits goes on waiting',
    },
  ],
}
