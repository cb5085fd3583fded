import type { Stage } from './mutant.ts'

const core = 'packages/core/src'
const api = 'packages/server/src/api'

/** The clients and producers of the five systems, and what a run reports of itself: each promise that they rest on. */
export const switching: Stage = {
  name: 'switch',
  tests: ['test/switch', `${core}/fold/run-`, `${core}/read/synchronous-subagents`],
  mutants: [
    {
      file: `${core}/parse/by-shape.ts`,
      find: 'return chosen?.subagents',
      replace: 'return undefined',
      promise: 'the work of a subagent is its own under any name of the format',
    },
    {
      file: `${core}/fold/run-duration.ts`,
      find: 'return Math.max(own, reported)',
      replace: 'return own',
      promise: 'a run that is read quicker than it took shows what it reports',
    },
    {
      file: `${core}/fold/run-duration.ts`,
      find: 'own < SHORTEST_MS ? undefined : own',
      replace: 'own',
      promise: 'a recording without a clock has no duration of its own',
    },
    {
      file: `${core}/fold/run-usage.ts`,
      find: 'last.get(event.runId) === index ? usageOf(event.runId) : undefined',
      replace: 'usageOf(event.runId)',
      promise: 'the totals of a run are exported once',
    },
    {
      file: `${core}/parse/chat-events/run-usage.ts`,
      find: 'counted.set(runId, runUsage)',
      replace: 'counted.set(runId, sumOf([counted.get(runId) ?? {}, runUsage]))',
      promise: 'the report of a run replaces the sum of its messages',
    },
    {
      file: `${core}/wire/agent-event/strict.ts`,
      find: 'return [{ type: chunk.type, ...Object.fromEntries(fields) }]',
      replace: 'return [{ ...chunk, type: chunk.type, ...Object.fromEntries(fields) }]',
      promise: 'the second system gets the fields of its events and no other',
    },
    {
      file: `${api}/sessions/state.ts`,
      find: 'agentType !== undefined && Object.hasOwn(agents, agentType) ? agents[agentType] : agentType',
      replace: 'agentType',
      promise: 'a client of the third system names an agent as it always has',
    },
    {
      file: `${api}/sessions/sessions.ts`,
      find: 'choiceIn(sessionId).profile ?? settings.profile',
      replace: 'choiceIn(sessionId).profile',
      promise: 'the server chooses the profile of clients that name none',
    },
    {
      file: `${api}/errors.ts`,
      find: '{ ...body, detail: body.error.message }',
      replace: 'body',
      promise: 'an error is a sentence for the third system',
    },
    {
      file: `${core}/wire/ds-agent/stream.ts`,
      find: '    sent === 0 ||\n    length - sent >= Math.max(LEAST_GROWTH, sent / 4) ||\n    elapsed >= Math.max(LONGEST_PAUSE, length / MOST_CHARACTERS),',
      replace: '    sent === 0,',
      promise: 'a text that streams grows in a client that replaces it',
    },
    {
      file: `${core}/wire/event-segments/run.ts`,
      find: '      stream.emit(chunkOf(type, { ...fields, millrace: {} }))\n      drafts.forget(draft)',
      replace: '      void [type, fields]\n      drafts.forget(draft)',
      promise: 'an Event of the fourth system is sent again with its results',
    },
    {
      file: `${core}/messages/think-tags.ts`,
      find: 'return `${before}${open}${segment.text}${close}${after}`',
      replace: 'return segment.text + before + after',
      promise: 'the next request of the fifth system is what its model wrote, byte for byte',
    },
    {
      file: `${core}/fold/thread-processor/agent-turn.ts`,
      find: 'raw += token',
      replace: 'raw += token.replace(/<.?think>/g, "")',
      promise: 'the stored message of the fifth system is raw',
    },
  ],
}
