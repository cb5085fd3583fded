import type { Mutant } from '../mutant.ts'

const parts = 'packages/core/src/parse/chat-events'

export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/parse/chat-events.ts',
    find: 'error }) } : undefined',
    replace: 'error }) } : reportedEnd',
    promise: 'a thread whose last run goes on has not ended as the run before it did',
  },
  {
    file: `${parts}/ordered.ts`,
    find: 'positioned.sort((one, other) => one.position - other.position)',
    replace: 'positioned',
    promise: 'events keep the order in which they were logged',
  },
  {
    file: `${parts}/segments.ts`,
    find: '[before, open, text, close, after]',
    replace: '[open, text]',
    promise: 'a thought goes back into its text with its tags',
  },
  {
    file: `${parts}/segments.ts`,
    find: 'out.within(agentId)',
    replace: 'out',
    promise: 'the content of a subagent stays with it',
  },
  {
    file: `${parts}.ts`,
    find: "if (isAwaiting) return [{ type: 'run-end', outcome: 'awaiting-input' }]",
    replace: '',
    promise: 'a call without an answer still waits for one',
  },
  {
    file: `${parts}/segments.ts`,
    find: 'for (const event of [...replacement.events, ...callEvents])',
    replace: 'for (const event of callEvents)',
    promise: 'a later call is shown as the list that it wrote',
  },
  {
    file: `${parts}/segments.ts`,
    find: `segment.callId === tool.callId`,
    replace: `segment.callId !== undefined`,
    promise: 'a call is shown as the subagent that it started',
  },
]
