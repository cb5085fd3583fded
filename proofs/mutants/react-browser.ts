import type { Stage } from './mutant.ts'

/** What needs a browser: focus, live regions, error boundaries, timers, and whatever a person does twice. */
export const reactInBrowser: Stage = {
  name: 'react in a browser',
  tests: ['attention', 'attention-again', 'answers-in-browser', 'cards-in-browser'].map(
    (name) => `packages/react/test/${name}.test.ts`,
  ),
  mutants: [
    {
      file: 'packages/react/src/segments/approval-group.tsx',
      find: "if (results.some(({ status }) => status === 'rejected')) setIsSent(false)",
      replace: '',
      promise: 'several calls can be answered again if one answer was refused',
    },
    {
      file: 'packages/react/src/segments/approval-group.tsx',
      find: 'keys.some((key) => toggles.get(key) === true)',
      replace: 'keys.every((key) => toggles.get(key) === true && keys.length > 2)',
      promise: 'calls that are answered one by one stay apart',
    },
    {
      file: 'packages/react/src/pieces.ts',
      find: 'asks.findIndex(({ name }) => name !== asks[0]?.name)',
      replace: '-1',
      promise: 'calls of different tools are asked about one by one',
    },
    {
      file: 'packages/react/src/announcer.tsx',
      find: 'if (before === undefined || fresh.length === 0) return',
      replace: 'if (fresh.length === 0) return',
      promise: 'what a loaded thread already holds is not announced',
    },
    {
      file: 'packages/react/src/use-kept-focus.ts',
      find: 'if (piece instanceof HTMLElement) focusOn(piece)',
      replace: '',
      promise: 'an answered question passes its focus to its card',
    },
    {
      file: 'packages/react/src/boundary.tsx',
      find: 'return of === state.of ? null : { of, hasFailed: false }',
      replace: 'return null',
      promise: 'what could not be drawn is drawn again when it changes',
    },
    {
      file: 'packages/react/src/turn-view.tsx',
      find: '<Boundary of={piece} fallback={<PlainPiece piece={piece} />}>',
      replace: '<Boundary of={piece} fallback={undefined}>',
      promise: 'a piece that cannot be drawn is shown as plain text',
    },
    {
      file: 'packages/react/src/copy-button.tsx',
      find: 'setTimeout(() => setAttempt(undefined), SHOWN_MS)',
      replace: 'setTimeout(() => setAttempt(attempt), SHOWN_MS)',
      promise: 'the copy button says “copied” for a moment only',
    },
    {
      file: 'packages/react/src/copy-button.tsx',
      find: "setAttempt({ outcome: 'refused' })",
      replace: 'setAttempt(undefined)',
      promise: 'a browser that refuses to copy is reported',
    },
    {
      file: 'packages/react/src/elapsed.tsx',
      find: '      clearInterval(timer)\n',
      replace: '      clearTimeout(undefined)\n',
      promise: 'a counter that is gone does not tick',
    },
    {
      file: 'packages/react/src/use-disclosure.ts',
      find: '      setIsLingering(true)\n',
      replace: '',
      promise: 'a block that is live again stays open for a moment again',
    },
    {
      file: 'packages/react/src/segments/use-answer.ts',
      find: 'sentFor === approvalId',
      replace: 'sentFor !== undefined',
      promise: 'a call that asks again can be answered again',
    },
    {
      file: 'packages/react/src/segments/use-answer.ts',
      find: '(sent === approvalId ? undefined : sent)',
      replace: 'sent',
      promise: 'an answer that the host could not send can be given again',
    },
    {
      file: 'packages/react/src/segments/use-answer.ts',
      find: '(sent === approvalId ? undefined : sent)',
      replace: 'undefined',
      promise: 'a late failure does not open the next question',
    },
    {
      file: 'packages/react/src/segments/use-answer.ts',
      find: 'repeat || ',
      replace: '',
      promise: 'a held key answers once',
    },
    {
      file: 'packages/react/src/segments/use-answer.ts',
      find: 'metaKey || ',
      replace: '',
      promise: 'a key with a modifier answers nothing',
    },
    {
      file: 'packages/react/src/use-kept-focus.ts',
      find: 'onBlur() {\n      held.current = undefined\n',
      replace: 'onBlur() {\n',
      promise: 'a focus that the user has moved is not brought back',
    },
    {
      file: 'packages/react/src/use-kept-focus.ts',
      find: '.findLast((each)',
      replace: '.find((each)',
      promise: 'the focus stays inside the subagent that asked',
    },
    {
      file: 'packages/react/src/turn-view.tsx',
      find: '[outer, runId, isOver]',
      replace: '[outer, runId]',
      promise: 'a question closes when its run ends',
    },
    {
      file: 'packages/react/src/announcer.tsx',
      find: 'for (const [key] of fresh) announcedKeys.current.add(key)',
      replace: 'announcedKeys.current = new Set(announcements.keys())',
      promise: 'what is briefly out of view is not announced again',
    },
    {
      file: 'packages/react/src/output/output.tsx',
      find: 'isWhole ? part : part.map(shortened)',
      replace: 'part.map(shortened)',
      promise: 'an output that was asked for is whole',
    },
    {
      file: 'packages/react/src/announcer.tsx',
      find: '<span key={count}>',
      replace: '<span>',
      promise: 'the same words twice are announced twice',
    },
    {
      file: 'packages/react/src/announcements.ts',
      find: "(segment.approval?.approvalId ?? '')",
      replace: "''",
      promise: 'a second question of a call is announced',
    },
    {
      file: 'packages/react/src/turn-view.tsx',
      find: '<Fragment key={id}>',
      replace: '<Fragment key={`${id}-${turn.pieces.length}`}>',
      promise: 'a card is not drawn anew when something follows it',
    },
  ],
}
