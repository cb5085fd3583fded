import type { Stage } from './mutant.ts'

const folder = 'packages/core/src'

/** Bugs that show only the second time, or where several things are open at once. */
export const secondTime: Stage = {
  name: 'fold and normalize: the second time',
  tests: [
    'test/laws-fold.test.ts',
    'test/laws-repeat.test.ts',
    'test/laws-balance.test.ts',
    'test/laws-join.test.ts',
    `${folder}/normalize/todo-tools.test.ts`,
    `${folder}/normalize/bound-states.test.ts`,
  ],
  mutants: [
    {
      file: `${folder}/fold/reduce-messages.ts`,
      find: 'state.openChats.findLastIndex((chat) => chat.messageId === event.messageId)',
      replace: 'state.openChats.length - 1',
      promise: 'of two open messages the one ends that is named',
    },
    {
      file: `${folder}/fold/steps.ts`,
      find: '  chat?.usage.nextStep(undefined)\n',
      replace: '',
      promise: 'a message of two steps has the usage of both',
    },
    {
      file: `${folder}/fold/reduce-tools.ts`,
      find: 'percent !== undefined ? { percent } : isMore && last.percent !== undefined && { percent: last.percent }',
      replace: 'percent !== undefined && { percent }',
      promise: 'a percentage stays until the next one',
    },
    {
      file: `${folder}/fold/reduce-tools.ts`,
      find: "event.state === 'requested' ? approval : { ...before, ...approval }",
      replace: '{ ...before, ...approval }',
      promise: 'a second question has nothing of the first',
    },
    {
      file: `${folder}/fold/reduce-others.ts`,
      find: '    before.fields.data = event.data\n',
      replace: '    if (before.fields.endedAt === before.fields.startedAt) before.fields.data = event.data\n',
      promise: 'data is replaced more than once',
    },
    {
      file: `${folder}/fold/reduce-messages.ts`,
      find: 'event.parentAgentId === undefined ? undefined : state.agents.get(event.parentAgentId)',
      replace: 'event.parentAgentId === undefined ? undefined : [...state.agents.values()].at(-1)',
      promise: 'a nested subagent is in its own parent',
    },
    {
      file: `${folder}/fold/reduce-messages.ts`,
      find: '    if (!event.messageIds.includes(chat.messageId)) continue\n',
      replace: '    if (event.messageIds[0] !== chat.messageId) continue\n',
      promise: 'all messages that are named are retracted',
    },
    {
      file: `${folder}/normalize/todo-tools.ts`,
      find: 'list.lastId = Math.max(list.lastId + 1, Number.parseInt(id, 10) || 0)',
      replace: 'list.lastId = Number.parseInt(id, 10) || 0',
      promise: 'the number of a task is not used again',
    },
    {
      file: `${folder}/normalize/bound-states.ts`,
      find: '        channels.set(event.channel, event.value)\n',
      replace: '        if (!channels.get(event.channel)) channels.set(event.channel, event.value)\n',
      promise: 'a second snapshot replaces the state that patches are judged by',
    },
    {
      file: `${folder}/fold/join-runs.ts`,
      find: 'before?.by.length === by.length && before.by.every((answer, index) => answer === by[index])',
      replace: 'before?.by.length === by.length',
      promise: 'another answer gives another chat event',
    },
    {
      file: `${folder}/normalize/balance/message-scopes.ts`,
      find: '    agents.delete(event.agentId)\n',
      replace: '    agents.clear()\n',
      promise: 'of two subagents at once the one ends that is named',
    },
  ],
}
