import type { Mutant } from '../mutant.ts'

const parts = 'packages/core/src/parse/event-segments'

export const mutants: readonly Mutant[] = [
  {
    file: `${parts}/session.ts`,
    find: '    if (current !== undefined && !current.isEnded) pushEnd(out, current, undefined)\n    current = undefined\n',
    replace: '',
    promise: 'a stream that says that it is done ends the Event that is open',
  },
  {
    file: 'packages/core/src/parse/event-segments/stored.ts',
    find: 'return keyed.sort((one, other) => (String(one.key) < String(other.key) ? -1 : 1)).map(({ event }) => event)',
    replace: 'return events',
    promise: 'the Events of a conversation are in the order of their keys',
  },
  {
    file: 'packages/core/src/parse/event-segments/stored.ts',
    find: "typeof segments === 'string' && segments.startsWith('[') ? parsed(segments) : segments",
    replace: 'segments',
    promise: 'the row of a table may hold its segments as JSON text',
  },
  {
    file: 'packages/core/src/parse/event-segments/stored.ts',
    find: 'const list = isJsonObject(parts) ? Object.values(parts) : parts',
    replace: 'const list = isJsonObject(parts) ? [] : parts',
    promise: 'reasoning beside the segments keeps its parts',
  },
  {
    file: 'packages/core/src/parse/event-segments/stored.ts',
    find: "if (segments.some((segment) => isJsonObject(segment) && segment.type === 'reasoning')) return []",
    replace: '',
    promise: 'reasoning that is a segment, too, is read once',
  },
  {
    file: `${parts}/millrace-reader.ts`,
    find: 'return isForClientsOnly(record) ? SILENT : undefined',
    replace: 'return SILENT',
    promise: 'a Millrace record without its mark is kept as raw',
  },
  {
    file: `${parts}/message.ts`,
    find: 'if (form !== lastForm && unmatched[0] === text) {',
    replace: "if (form !== lastForm && text === '') {",
    promise: 'the two forms of one delta are not doubled',
  },
  {
    file: `${parts}/session.ts`,
    find: 'else if (existing === undefined) beginNew(',
    replace: 'else if (true) beginNew(',
    promise: 'a replayed Event does not begin a second time',
  },
  {
    file: `${parts}/calls.ts`,
    find: 'if (call.hasInput) return\n    call.hasInput = true',
    replace: 'call.hasInput = true',
    promise: 'a call has one input, whichever form has it',
  },
  {
    file: `${parts}/reasoning.ts`,
    find: 'parts.splice(after === -1 ? parts.length : after, 0, part)',
    replace: 'parts.push(part)',
    promise: 'the parts of reasoning keep their order',
  },
  {
    file: `${parts}/whole.ts`,
    find: 'if (!isContinued && index === 0) settleTexts(out, message, whole)\n',
    replace: '',
    promise: 'the text of a whole Event replaces the streamed text',
  },
  {
    file: `${parts}/calls.ts`,
    find: 'if (question.callId !== answeredId) continue\n',
    replace: '',
    promise: 'a result answers only its own question',
  },
  {
    file: `${parts}/handlers.ts`,
    find: 'if (lastError !== undefined && lastError !== text)',
    replace: 'if (false)',
    promise: 'an error that another follows is shown',
  },
]
