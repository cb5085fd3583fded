import type { Mutant } from '../mutant.ts'

const parts = 'packages/core/src/wire/event-segments'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: `${parts}/calls.ts`,
    find: '    blocks.leave()\n',
    replace: '',
    promise: 'a piece of text is sent only while its segment is the last one',
  },
  {
    file: `${parts}/blocks.ts`,
    find: '    if (block.sent < text.length) catchUp(event, block)\n',
    replace: '',
    promise: 'a text that is behind is whole at its end',
  },
  {
    file: `${parts}/blocks.ts`,
    find: 'sequence_number: ++pieces,\n            delta: text,',
    replace: 'sequence_number: 1,\n            delta: text,',
    promise: 'no piece of reasoning is taken for a repetition',
  },
  {
    file: `${parts}/drafts.ts`,
    find: "if (role === 'assistant') current = last",
    replace: 'current = last',
    promise: 'what a person says is not taken for the assistant’s',
  },
  {
    file: `${parts}/extras.ts`,
    find: 'if (event.transient) stream.sayOwn(event)\n      else if (event.id === undefined) append(event)',
    replace: 'if (event.id === undefined) return',
    promise: 'data without an id is on the wire',
  },
]

/** What only the wire's own tests can know. */
export const own: readonly Mutant[] = [
  {
    file: `${parts}/calls.ts`,
    find: "if (status === 'ok' || error !== undefined) return error\n",
    replace: 'return error\n',
    promise: 'a failure can be told from a result',
  },
  {
    file: `${parts}/drafts.ts`,
    find: 'const idOf = (messageId: string) => `${runId}/${messageId}`',
    replace: 'const idOf = (messageId: string) => messageId',
    promise: 'no two runs share an Event',
  },
  {
    file: `${parts}/blocks.ts`,
    find: 'block.text.length - block.sent >= block.sent * GROWN',
    replace: 'block.text.length > block.sent',
    promise: 'the bytes of a text that is behind stay proportional to it',
  },
  {
    file: `${parts}/run.ts`,
    find: '    blocks.write(draft)\n',
    replace: '',
    promise: 'a whole Event holds what a subagent has said so far',
  },
  {
    file: `${parts}/stream.ts`,
    find: "if (form === 'tools' && drafts.isCurrent(place.draft)) say(event, told, type, fields)",
    replace: "if (form === 'tools') say(event, told, type, fields)",
    promise: 'events that name no Event are sent only where one is meant',
  },
]
