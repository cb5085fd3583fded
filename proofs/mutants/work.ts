import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/fold/work'

/** The views of files and commands. */
export const work: Stage = {
  name: 'work',
  tests: [folder, 'test/laws-work.test.ts'],
  mutants: [
    {
      file: `${folder}/files.ts`,
      find: 'last.before === before && last.path === path',
      replace: 'last.path === path',
      promise: 'a state is found again only behind the same state',
    },
    {
      file: `${folder}/files.ts`,
      find: '  lastSteps.set(effect, { before, path, step: by.step, after })\n',
      replace: '',
      promise: 'a snapshot costs what changed',
    },
    {
      file: `${folder}/calls.ts`,
      find: 'call.segment.endedAt !== undefined && isBy(call)',
      replace: 'isBy(call)',
      promise: 'a call counts when it has ended',
    },
    {
      file: `${folder}/calls.ts`,
      find: '|| one.segment.seqs[1] - other.segment.seqs[1]',
      replace: '|| one.segment.seqs[0] - other.segment.seqs[0]',
      promise: 'files change in the order in which calls end',
    },
    {
      file: `${folder}/effects.ts`,
      find: "segment.state === 'done' && !isRehearsed(segment)",
      replace: '!isRehearsed(segment)',
      promise: 'a call that failed changes no file',
    },
    {
      file: `${folder}/effects.ts`,
      find: 'result.staged === true',
      replace: 'false',
      promise: 'a staged change is not written',
    },
    {
      file: `${folder}/file-state.ts`,
      find: 'if (parts.length > 2 && !found.isEverywhere) return undefined',
      replace: '',
      promise: 'a text that is found twice is not replaced',
    },
    {
      file: `${folder}/file-state.ts`,
      find: 'blame[same.before + index] ?? 0',
      replace: 'step',
      promise: 'a line keeps the step that wrote it',
    },
    {
      file: `${folder}/file-state.ts`,
      find: 'carriedBlame(state, seen, 0)',
      replace: 'noBlame(seen)',
      promise: 'a change outside of the run takes no line from its author',
    },
    {
      file: `${folder}/line-diff.ts`,
      find: 'from === diagonal + 1 ? fromRow : fromRow + 1',
      replace: 'fromRow',
      promise: 'the difference of two texts gives back both',
    },
    {
      file: `${folder}/line-diff.ts`,
      find: 'const MOST_CHANGES = 1_200',
      replace: 'const MOST_CHANGES = 3',
      promise: 'as many lines are kept as can be',
    },
    {
      file: `${folder}/patches.ts`,
      find: 'after.push(before[row] ?? text)',
      replace: 'after.push(text)',
      promise: 'a patch changes no line that it only repeats',
    },
    {
      file: `${folder}/read-text.ts`,
      find: '=== first + index',
      replace: '>= 0',
      promise: 'numbers that belong to a text are kept',
    },
    {
      file: `${folder}/exit-code.ts`,
      find: "if (typeof own === 'number') return own === -1 ? undefined : own",
      replace: "if (typeof own === 'number') return own",
      promise: 'a command that still runs has no exit code',
    },
    {
      file: `${folder}/commands.ts`,
      find: 'before.step === call.step && ',
      replace: '',
      promise: 'a command has the step of its place in the chat',
    },
    {
      file: `${folder}/commands.ts`,
      find: 'if (earlier === undefined) commands.push(own)',
      replace: 'if (own !== undefined) commands.push(own)',
      promise: 'what is read later of a command belongs to it',
    },
    {
      file: `${folder}/artifacts.ts`,
      find: 'isBy(runId, segment.seqs[0])',
      replace: 'runId !== undefined && segment !== undefined',
      promise: 'a moment knows nothing of later calls',
    },
    {
      file: `${folder}/file-diff.ts`,
      find: 'if (to - from > 1) gaps',
      replace: 'if (to > from) gaps',
      promise: 'no single line is left out',
    },
  ],
}
