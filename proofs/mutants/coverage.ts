import type { Stage } from './mutant.ts'

const folder = 'packages/core/src'

/** Arms that no recording needs, as they would be written today. */
export const coverage: Stage = {
  name: 'coverage',
  tests: ['test/coverage.test.ts'],
  mutants: [
    {
      file: `${folder}/parse/codex-exec/items.ts`,
      find: 'export function itemOf',
      replace: 'export const never = (value?: number) => value ?? 7\n\nexport function itemOf',
      promise: 'a function that no recording calls is reported',
    },
    {
      file: `${folder}/source/sse.ts`,
      find: 'export const sse',
      replace: 'export const never = (value: number) => (value > 1 ? value : 7)\n\nexport const sse',
      promise: 'a branch of a source that nothing takes is reported',
    },
    {
      file: 'proofs/coverage/reasons/cohere.ts',
      find: 'export const reasons: readonly Reason[] = [',
      replace:
        "export const reasons: readonly Reason[] = [{ file: 'parse/cohere.ts', arm: 'no such arm', reason: 'none' },",
      promise: 'a reason without its arm is reported',
    },
  ],
}
