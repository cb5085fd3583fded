import type { Stage } from './mutant.ts'

const looks = 'packages/server/src/deliver/shared-looks.ts'
const sights = 'packages/server/src/api/thread-sights.ts'
const routes = 'packages/server/src/api/routes/threads.ts'
const follower = 'packages/core/src/client/thread-follower.ts'
const threadRuns = 'packages/core/src/client/thread-runs.ts'
const feeds = 'packages/core/src/client/change-feeds.ts'
const shared = 'packages/core/src/client/shared-changes.ts'
const list = 'packages/react/src/threads/thread-list-store.ts'

/** The streams of threads: nothing is missed, nothing is queued, and looks, watches and connections are shared. */
export const threadStreams: Stage = {
  name: 'thread streams',
  tests: [
    'packages/server/test/thread-streams',
    'packages/server/test/thread-wires',
    'packages/server/test/shared-looks',
    'packages/core/src/client/thread-follower',
    'packages/core/src/client/shared-changes',
    'packages/react/src/threads',
  ],
  mutants: [
    {
      file: 'packages/server/src/api/thread-runs-stream.ts',
      find: '`${runId}:${cursor}`',
      replace: 'cursor',
      promise: 'the id of an event of a thread says of which run it is',
    },
    {
      file: 'packages/server/src/api/sessions/follower.ts',
      find: "position === '0' || ",
      replace: '',
      promise: 'a viewer of a thread may ask for everything',
    },
    {
      file: routes,
      find: "context.req.header('last-event-id') || after",
      replace: 'after',
      promise: 'a viewer of a thread that comes back gets what follows',
    },
    {
      file: looks,
      find: '    isDue = true\n    if (!isLooking) void',
      replace: '    isDue ||= !isLooking\n    if (!isLooking) void',
      promise: 'a hint during a look causes another look',
    },
    {
      file: looks,
      find: 'if (!isLooking) void lookWhileDue()',
      replace: 'void lookWhileDue()',
      promise: 'one look at a subject is under way at a time',
    },
    {
      file: looks,
      find: '      if (members === 0) stop()\n',
      replace: '',
      promise: 'the last viewer removes the watch',
    },
    {
      file: looks,
      find: '      return begunLooks + 1\n',
      replace: '      return begunLooks\n',
      promise: 'the first view is not older than the request for it',
    },
    {
      file: looks,
      find: '    encoded = new Map()\n    for',
      replace: '    for',
      promise: 'encoded events are those of the newest view',
    },
    {
      file: looks,
      find: "    signal.addEventListener('abort', wake)\n",
      replace: '',
      promise: 'a viewer that is gone is not waited for',
    },
    {
      file: looks,
      find: 'if (existing?.hasFailed() === false) return existing',
      replace: 'if (existing !== undefined) return existing',
      promise: 'a failed look does not refuse later viewers',
    },
    {
      file: 'packages/server/src/deliver/view-stream.ts',
      find: 'await pacer.send(events)\n',
      replace: 'void pacer.send(events)\n',
      promise: 'nothing is queued for a viewer that does not read',
    },
    {
      file: 'packages/server/src/deliver/view-stream.ts',
      find: '    viewer.leave()\n',
      replace: '',
      promise: 'a viewer that is gone leaves no watch behind',
    },
    {
      file: sights,
      find: '[state, outcome, waitUntil, asks, endedAt])\n\n',
      replace: '[state, outcome, asks, endedAt])\n\n',
      promise: 'viewers of a thread learn until when a run waits',
    },
    {
      file: sights,
      find: '[title, updatedAt, id, state, outcome, asks, endedAt, digest]',
      replace: '[title, updatedAt, id, state, outcome, endedAt, digest]',
      promise: 'viewers of the list learn that a run asks',
    },
    {
      file: sights,
      find: 'missing.filter((_, index) => found[index] === undefined)',
      replace: 'missing',
      promise: 'a thread that is pushed off the page is not deleted',
    },
    {
      file: sights,
      find: 'if (before === undefined || hasMissedDeletions(before, now)) return',
      replace: 'if (before === undefined) return',
      promise: 'a viewer that has missed a deletion gets everything again',
    },
    {
      file: sights,
      find: 'isLast: ({ overview }) => overview === undefined',
      replace: 'isLast: () => false',
      promise: 'the stream of a deleted thread ends',
    },
    {
      file: sights,
      find: '(await openThreads(sources)).filter((thread) => !ids.has(thread.id))',
      replace: '(await openThreads(sources)).filter(() => false)',
      promise: 'the list has every thread with an open run',
    },
    {
      file: routes,
      find: " && !types.includes('application/json')",
      replace: '',
      promise: 'a client that takes JSON gets JSON',
    },
    {
      file: routes,
      find: 'search !== undefined || after !== undefined',
      replace: 'after !== undefined',
      promise: 'a search is not streamed',
    },
    {
      file: follower,
      find: '    runs.note(infos)\n',
      replace: '    if (isLoaded()) runs.note(infos)\n',
      promise: 'a run that begins while the thread is read is shown',
    },
    {
      file: follower,
      find: '      onChange(title)\n      void catchUp()',
      replace: '      onChange()\n      void [catchUp, title]',
      promise: 'a title that comes while the thread is read is shown',
    },
    {
      file: follower,
      find: '    if (isLoaded()) void catchUp()\n',
      replace: '',
      promise: 'a run that began and ended elsewhere is read',
    },
    {
      file: threadRuns,
      find: "  if (isStreamed && info.state === 'ended') return withCreation(run, info)\n",
      replace: '',
      promise: 'a streamed run ends with its last entry',
    },
    {
      file: threadRuns,
      find: '.sort(([, one], [, other]) => rank(one) - rank(other))',
      replace: '',
      promise: 'runs have the order of the server',
    },
    {
      file: feeds,
      find: 'onHide(feed.stop)',
      replace: 'onHide(() => {})',
      promise: 'a hidden page has no connection',
    },
    {
      file: feeds,
      find: '    position: () => 0,\n',
      replace: '    position: () => Date.now() + Math.random(),\n',
      promise: 'a server that cuts every stream is not asked in a circle',
    },
    {
      file: shared,
      find: '    kept.set(key, record)\n',
      replace: '    if (kept.size === 0) kept.set(key, record)\n',
      promise: 'a tab that comes later has every change',
    },
    {
      file: shared,
      find: "status.connection === 'ended' || status.connection === 'failed') stop()",
      replace: "status.connection === 'ended') stop()",
      promise: 'the next tab tries after a final failure',
    },
    {
      file: list,
      find: "    if (search === '' && isFollowed) return\n",
      replace: '',
      promise: 'a list that is followed is not requested',
    },
    {
      file: list,
      find: '        shownRound = ++rounds\n',
      replace: '',
      promise: 'an older answer does not replace what the stream says',
    },
    {
      file: list,
      find: '        runningThreads = []\n',
      replace: '',
      promise: 'a run that has ended unseen is not live for ever',
    },
  ],
}
