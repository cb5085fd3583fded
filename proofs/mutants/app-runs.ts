import type { Stage } from './mutant.ts'

/** The list of runs and the search in their texts. */
export const appRuns: Stage = {
  name: 'app runs',
  tests: ['apps/web/src/runs', 'packages/react/src/threads', 'packages/core/src/fold/run-digest.test.ts'],
  mutants: [
    {
      file: 'packages/react/src/threads/run-list-store.ts',
      find: 'thread !== undefined && isListed(thread, current.filter)',
      replace: 'thread !== undefined',
      promise: 'what does not satisfy the filter is not shown',
    },
    {
      file: 'packages/react/src/threads/run-list-store.ts',
      find: "if (change.type === 'begun') void refresh()",
      replace: "if (change.type === 'begun') return",
      promise: 'what was missed while the stream was cut is read again',
    },
    {
      file: 'packages/react/src/threads/run-list-store.ts',
      find: '      if (own !== round) return\n',
      replace: '',
      promise: 'the answer to an earlier filter is not shown',
    },
    {
      file: 'packages/react/src/threads/run-list-store.ts',
      find: 'loadingMore ??= ',
      replace: 'loadingMore = ',
      promise: 'a page is asked for once',
    },
    {
      file: 'apps/web/src/runs/run-rows.ts',
      find: "lastRun !== undefined && lastRun.state !== 'ended'",
      replace: "lastRun?.state === 'live'",
      promise: 'a run that waits for its producer is among those that go on',
    },
    {
      file: 'apps/web/src/runs/run-rows.ts',
      find: 'lowerBound(offsets, from + 1) - 1',
      replace: 'lowerBound(offsets, from + 1)',
      promise: 'a row that is partly in view is drawn',
    },
    {
      file: 'apps/web/src/runs/run-rows.ts',
      find: 'lastRun.agent === undefined ? undefined : ',
      replace: '',
      promise: 'the clock of another program is not compared with ours',
    },
    {
      file: 'apps/web/src/runs/runs-route.ts',
      find: 'midnight(now, days - 1)',
      replace: 'midnight(now, days)',
      promise: 'today is one day',
    },
    {
      file: 'apps/web/src/runs/search/hits.ts',
      find: 'all.length <= SHOWN_PER_THREAD + 1',
      replace: 'all.length <= SHOWN_PER_THREAD',
      promise: 'no line says that there is one more line',
    },
    {
      file: 'apps/web/src/runs/search/hits.ts',
      find: "kind === 'question' || ",
      replace: '',
      promise: 'a message stands before the step that it causes',
    },
    {
      file: 'packages/core/src/fold/run-digest.ts',
      find: 'step === stepStarts.length && step < steps ? undefined : step',
      replace: 'step',
      promise: 'a step whose place is not kept is not named by another',
    },
  ],
}

/** The same in a browser: the keys of the table, the marks, what is exported. */
export const appRunsInBrowser: Stage = {
  name: 'app runs in the browser',
  tests: ['test/browser/runs.test.ts', 'test/browser/runs-search.test.ts'],
  mutants: [
    {
      file: 'apps/web/src/runs/run-table.tsx',
      find: ' || idOf(line) === active',
      replace: '',
      promise: 'the row with the focus exists while it is out of view',
    },
    {
      file: 'apps/web/src/runs/use-view.ts',
      find: '  useLayoutEffect(() => measure.current())\n',
      replace: '',
      promise: 'rows are drawn when the list comes',
    },
    {
      file: 'apps/web/src/runs/thread-dialogs.tsx',
      find: 'onAct={() => onDelete(threads)}',
      replace: 'onAct={onClose}',
      promise: 'a confirmed deletion deletes',
    },
    {
      file: 'apps/web/src/runs/counters.tsx',
      find: '      timer ??= setTimeout(read, REST_MS)\n',
      replace: '',
      promise: 'the counters follow the log',
    },
    {
      file: 'apps/web/src/runs/export-threads.ts',
      find: "events.map((event) => JSON.stringify(event)).join(',\\n')",
      replace: "events.map((event) => JSON.stringify(event)).join('\\n')",
      promise: 'an export can be imported again',
    },
    {
      file: 'apps/web/src/found-marks.tsx',
      find: '    observer.observe(element, { childList: true, subtree: true, characterData: true })\n',
      replace: '',
      promise: 'what is drawn later is marked, too',
    },
    {
      file: 'apps/web/src/runs/search/search-page.tsx',
      find: "seq, find: wordsOf(option.hit).join(' ')",
      replace: 'seq',
      promise: 'the mark is shown in the thread',
    },
    {
      file: 'packages/server/src/api/routes/search.ts',
      find: 'const step = digest && stepAt(digest, hit.seq)',
      replace: 'const step = digest && undefined',
      promise: 'every hit names its step',
    },
  ],
}
