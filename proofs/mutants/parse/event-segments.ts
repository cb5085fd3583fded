import type { Mutant } from '../mutant.ts'

const parts = 'packages/core/src/parse/event-segments'

export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/parse/event-segments/own.ts',
    find: 'return isMadeUp(record) ? SILENT : undefined',
    replace: 'return SILENT',
    promise: 'a record of ours that lost its mark is kept',
  },
  {
    file: `${parts}/twins.ts`,
    find: 'if (now !== form && unmatched[0] === text) {',
    replace: "if (now !== form && text === '') {",
    promise: 'the two forms of one piece do not double',
  },
  {
    file: `${parts}/session.ts`,
    find: 'if (known !== undefined) return again(known, event)',
    replace: '',
    promise: 'an Event that is replayed is not begun a second time',
  },
  {
    file: `${parts}/calls.ts`,
    find: 'if (call.hasInput || call.hasOutput) return events\n    call.hasInput = true',
    replace: 'call.hasInput = true',
    promise: 'a call has one input, whichever form says it',
  },
  {
    file: `${parts}/reasoning.ts`,
    find: 'parts.splice(after === -1 ? parts.length : after, 0, part)',
    replace: 'parts.push(part)',
    promise: 'the parts of reasoning stand in their order',
  },
  {
    file: `${parts}/whole.ts`,
    find: '...(isSame ? [] : settleTexts(message, words)), ',
    replace: '',
    promise: 'the words of a whole Event are right',
  },
]
