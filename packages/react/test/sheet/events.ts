import type { Role } from '@millrace/core/event-fields'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { error, status, text, thought, todos, tool } from '../segments.ts'
import type { Case } from './case.ts'

const roles: { readonly [Each in Role]: true } = { user: true, assistant: true, system: true, tool: true }
const states: { readonly [State in ChatEvent['state']]: true } = {
  live: true,
  done: true,
  interrupted: true,
  retracted: true,
}

/** Five past nine in whatever zone this runs. */
const MORNING = new Date(2026, 0, 1, 9, 5).getTime()
const usage = { inputTokens: 999, outputTokens: 1000, costUsd: 0.0123 }
const answer = [text(1, 'Words.')]
const host = { onContinue: () => {}, onAnswer: () => {}, renderActions: ({ id }: ChatEvent) => `actions of ${id}` }
const done = { state: 'done', startedAt: MORNING, endedAt: MORNING + 64_000, model: 'tide-2' } as const

export const eventCases: readonly Case[] = [
  ...Object.keys(roles).map(
    (role): Case => ({ name: `role: ${role}`, segments: answer, event: { ...done, role: role as Role } }),
  ),
  ...Object.keys(states).flatMap((state): Case[] => [
    { name: `message: ${state}`, segments: answer, event: { ...done, state: state as ChatEvent['state'], usage } },
    {
      name: `message: ${state}, with an error at its end`,
      segments: [...answer, { ...error(2, 'Too fast'), code: 'rate' }],
      event: { ...done, state: state as ChatEvent['state'] },
      options: host,
    },
  ]),
  {
    name: 'message of the user, with actions',
    segments: answer,
    event: { ...done, role: 'user', by: 'server' },
    options: host,
  },
  {
    name: 'message of the user without a clock',
    segments: answer,
    event: { role: 'user', startedAt: 0, state: 'done' },
  },
  {
    name: 'message that was cut, in a host that continues',
    segments: answer,
    event: { ...done, state: 'interrupted' },
    options: host,
  },
  {
    name: 'message with an error, in a run that goes on',
    segments: [error(1, 'Too fast')],
    event: done,
    options: { ...host, runGoesOn: true },
  },
  {
    name: 'foot: a dear answer',
    segments: answer,
    event: { ...done, usage: { inputTokens: 1_250_000, outputTokens: 0, costUsd: 0.1 } },
  },
  { name: 'foot: cost only', segments: answer, event: { state: 'done', usage: { costUsd: 12 } } },
  {
    name: 'foot: actions only',
    segments: answer,
    event: { state: 'done' },
    options: { renderActions: host.renderActions },
  },
  {
    name: 'layout: in order of arrival',
    segments: [
      text(1, 'One.'),
      status(2, ['a'], 900),
      thought(3, 'b', 1000),
      todos(4, ['pending']),
      text(5, 'Two.'),
      thought(6, 'c', 2000),
      status(7, ['d'], 900),
    ],
  },
  {
    name: 'layout: grouped',
    segments: [
      text(1, 'One.'),
      status(2, ['a'], 900),
      thought(3, 'b', 1000),
      todos(4, ['pending']),
      text(5, 'Two.'),
      thought(6, 'c', 2000),
      status(7, ['d'], 900),
    ],
    options: { layout: 'grouped' },
  },
  {
    name: 'layout: without thoughts',
    segments: [thought(1, 'a', 1000), text(2, 'One.'), tool(3, 'Read'), thought(4, 'b', 1000)],
    options: { hidesThoughts: true },
  },
  { name: 'something newer is below it', segments: [thought(1, 'a'), status(2, ['b'])], options: { hasNewer: true } },
]
