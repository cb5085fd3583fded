import type { Mutant } from '../mutant.ts'

const parts = 'packages/core/src/parse/chat-events'

export const mutants: readonly Mutant[] = [
  {
    file: `${parts}/ordered.ts`,
    find: 'placed.sort((one, other) => one.place - other.place)',
    replace: 'placed',
    promise: 'events stand in the order in which they were logged',
  },
  {
    file: `${parts}/tags.ts`,
    find: '[before, open, text, close, after]',
    replace: '[open, text]',
    promise: 'a thought goes back into its text with its tags',
  },
  {
    file: `${parts}/segments.ts`,
    find: 'addSegments(segments, { agentId }, lists, out)',
    replace: 'addSegments(segments, agent, lists, out)',
    promise: 'what a subagent says stays with it',
  },
  {
    file: `${parts}/outcome.ts`,
    find: "if (isAwaiting) return [{ type: 'run-end', outcome: 'awaiting-input' }]",
    replace: '',
    promise: 'a call that waits goes on waiting',
  },
  {
    file: `${parts}/tools.ts`,
    find: 'for (const event of [...drawn.events, ...happened])',
    replace: 'for (const event of happened)',
    promise: 'a later call is shown as the list that it wrote',
  },
]
