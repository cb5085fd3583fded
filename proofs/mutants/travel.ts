import type { Stage } from './mutant.ts'

const core = 'packages/core/src/fold/travel'
const app = 'apps/web/src/travel'

/** Any moment of a run: what is folded, what is counted, and where the head goes. */
export const travel: Stage = {
  name: 'travel',
  tests: [core, 'packages/core/src/client/thread-past.test.ts', 'packages/core/src/client/run-log.test.ts', app],
  mutants: [
    {
      file: 'packages/core/src/fold/fork.ts',
      find: 'copy.reports = reports.slice()',
      replace: 'copy.reports = reports',
      promise: 'what a fold reports of a call does not reach its fork',
    },
    {
      file: 'packages/core/src/fold/fork.ts',
      find: 'fields.lines = fields.lines.slice()',
      replace: 'fields.lines = [...fields.lines, ...fields.lines].slice(0, 1)',
      promise: 'a fork has all lines of a status',
    },
    {
      file: 'packages/core/src/fold/fork.ts',
      find: 'usage: state.usage.fork(),',
      replace: 'usage: state.usage,',
      promise: 'the usage of a fork is its own',
    },
    {
      file: 'packages/core/src/fold/fork.ts',
      find: '    openChats: state.openChats.map(copied),\n',
      replace: '',
      promise: 'a fork goes on with its own messages',
    },
    {
      file: `${core}/replay.ts`,
      find: 'if (cursor.seq <= seq && cursor.seq >= base.seq) return cursor',
      replace: 'if (cursor.seq >= base.seq) return cursor',
      promise: 'a moment before the last one is folded anew',
    },
    {
      file: `${core}/replay.ts`,
      find: 'fold: base.value.fork()',
      replace: 'fold: base.value',
      promise: 'a checkpoint stays where it is',
    },
    {
      file: `${core}/replay.ts`,
      find: 'entries.slice(cursor.seq, to)',
      replace: 'entries.slice(cursor.seq + 1, to)',
      promise: 'no entry is left out between a checkpoint and a moment',
    },
    {
      file: `${core}/spaced.ts`,
      find: 'index % 2 === 1',
      replace: 'index % 2 === 0',
      promise: 'what is kept stays at its number',
    },
    {
      file: `${core}/entry-times.ts`,
      find: 'times.push(Math.max(at, times.at(-1) ?? at))',
      replace: 'times.push(at)',
      promise: 'time never goes back',
    },
    {
      file: `${core}/time-axis.ts`,
      find: 'saved += silence.to - silence.from - length',
      replace: 'saved += silence.to - silence.from',
      promise: 'the axis reads back what it draws',
    },
    {
      file: `${core}/time-axis.ts`,
      find: 'reached += silence.to - silence.from',
      replace: 'reached += 0',
      promise: 'silence is not waited for',
    },
    {
      file: `${core}/horizon.ts`,
      find: 'mark.seq > seq)\n  const count',
      replace: 'mark.seq >= seq)\n  const count',
      promise: 'only what lies ahead is counted',
    },
    {
      file: 'packages/core/src/client/thread-runs.ts',
      find: 'before.slice(0, Math.max(0, index)).flatMap(chatEventsOf)',
      replace: 'before.flatMap(chatEventsOf)',
      promise: 'no later run is shown in the past',
    },
    {
      file: 'packages/core/src/client/thread-store.ts',
      find: 'const branch = after === undefined ? {} : { afterRunId: after }',
      replace: 'const branch = {}',
      promise: 'a branch continues the run that was named',
    },
    {
      file: `${app}/branch-point.ts`,
      find: "run.state === 'ended' && moment.seq >= run.seq",
      replace: 'moment.seq >= run.seq',
      promise: 'a branch never begins inside of a run that goes on',
    },
    {
      file: `${app}/time-head.ts`,
      find: 'seq === length && isWhole',
      replace: 'seq === length',
      promise: 'the newest entry of a live run can be held',
    },
    {
      file: `${app}/time-head.ts`,
      find: 'Math.min(250, now - before)',
      replace: '(now - before)',
      promise: 'a page that slept does not jump',
    },
    {
      file: `${app}/time-head.ts`,
      find: 'const seq = entryAt(times(), hand)\n      hand = undefined\n      go(seq)',
      replace: 'hand = undefined',
      promise: 'the hand that rests shows exactly the entry',
    },
    {
      file: `${app}/track-paths.ts`,
      find: 'if (drawn.has(key)) continue',
      replace: 'if (drawn.has(kind)) continue',
      promise: 'marks in different places are all drawn',
    },
  ],
}

/** The page in Chromium. */
export const travelInBrowser: Stage = {
  name: 'travel in browser',
  tests: ['test/browser/time-travel.test.ts', 'test/browser/time-branch.test.ts'],
  mutants: [
    {
      file: `${app}/use-travel-page.tsx`,
      find: 'chatEvents: past?.chatEvents ?? chatEvents,',
      replace: 'chatEvents,',
      promise: 'no future piece is drawn',
    },
    {
      file: `${app}/use-slider-words.tsx`,
      find: "isPresent || document.activeElement === slider.current ? ''",
      replace: "isPresent ? ''",
      promise: 'a moment is announced once',
    },
    {
      file: 'apps/web/src/threads/totals.ts',
      find: "state !== 'ended' && endedAt === undefined",
      replace: "state !== 'ended'",
      promise: 'the meter is that of the moment',
    },
  ],
}
