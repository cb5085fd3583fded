import type { Mutant } from '../mutant.ts'

const parts = 'packages/core/src/wire/event-segments'

/** The conformance suite must find these by itself. */
export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/wire/event-segments/blocks.ts',
    find: 'record.fields = { ...record.fields, ...patched }',
    replace: 'record.fields = patched',
    promise: 'a second patch of a block keeps the first',
  },
  {
    file: 'packages/core/src/wire/event-segments/calls.ts',
    find: '      blocks.stopDeltas()\n      const result',
    replace: '      const result',
    promise: 'no delta of a text follows the segment of a result',
  },
  {
    file: `${parts}/calls.ts`,
    find: '    blocks.stopDeltas()\n    const builtIn',
    replace: '    const builtIn',
    promise: 'a delta of text is sent only while its segment is the last one',
  },
  {
    file: `${parts}/blocks.ts`,
    find: '    if (block.sent < text.length) catchUp(event, block)\n',
    replace: '',
    promise: 'a text without deltas is sent whole at its end',
  },
  {
    file: `${parts}/blocks.ts`,
    find: 'sequence_number: ++reasoningDeltas,\n            delta: text,',
    replace: 'sequence_number: 1,\n            delta: text,',
    promise: 'no delta of reasoning is taken for a repetition',
  },
  {
    file: `${parts}/drafts.ts`,
    find: "if (role === 'assistant') current = last",
    replace: 'current = last',
    promise: 'a message of the user is not taken for the assistant’s',
  },
  {
    file: `${parts}/extras.ts`,
    find: 'if (event.transient) stream.emitMillrace(event)\n      else if (event.id === undefined) append(event)',
    replace: 'if (event.id === undefined) return',
    promise: 'data without an id is sent',
  },
]

/** Only the wire's own tests can find these. */
export const own: readonly Mutant[] = [
  {
    file: 'packages/core/src/wire/event-segments/blocks.ts',
    find: '      if (block.sent < block.text.length) catchUp(scope, block)\n',
    replace: '',
    promise: 'text that is rewritten was sent before',
  },
  {
    file: `${parts}/extras.ts`,
    find: 'if (keptSegments.has(key)) stream.emitMillrace(event)\n      else upsert(',
    replace: "void append(event)\n      if (key === '') upsert(",
    promise: 'a source that is reported twice is one segment',
  },
  {
    file: `${parts}/calls.ts`,
    find: "if (status === 'ok' || error !== undefined) return error\n",
    replace: 'return error\n',
    promise: 'a failure can be distinguished from a result',
  },
  {
    file: `${parts}/drafts.ts`,
    find: 'const idOf = (messageId: string) => `${runId}/${messageId}`',
    replace: 'const idOf = (messageId: string) => messageId',
    promise: 'no two runs share an Event',
  },
  {
    file: `${parts}/blocks.ts`,
    find: 'block.text.length - block.sent >= block.sent * GROWTH',
    replace: 'block.text.length > block.sent',
    promise: 'the bytes of a text without deltas stay proportional to it',
  },
  {
    file: `${parts}/run.ts`,
    find: 'if (draft === undefined) return\n    blocks.writeOpen(draft)\n',
    replace: 'if (draft === undefined) return\n',
    promise: 'a complete Event contains the text of a subagent so far',
  },
  {
    file: `${parts}/calls.ts`,
    find: '    if (call !== undefined) drafts.expect(call.slot.draft, -1)\n',
    replace: '',
    promise: 'a complete Event is sent again once its calls have their results',
  },
  {
    file: `${parts}/run.ts`,
    find: '      completeAgain(true)\n',
    replace: '',
    promise: 'what came late is in an Event that is sent again at the end of the run',
  },
  {
    file: `${parts}/run.ts`,
    find: '[...draft.segments]',
    replace: 'draft.segments',
    promise: 'a chunk that was sent does not change',
  },
  {
    file: `${parts}/drafts.ts`,
    find: 'segments.length <= SMALL || ',
    replace: 'segments.length > SMALL || ',
    promise: 'a large Event is not sent again for each small change',
  },
  {
    file: `${parts}/stream.ts`,
    find: "if (form === 'tools' && drafts.isCurrent(slot.draft)) emitEvent(event, carried, type, fields)",
    replace: "if (form === 'tools') emitEvent(event, carried, type, fields)",
    promise: 'standalone events are sent only for the current Event',
  },
]
