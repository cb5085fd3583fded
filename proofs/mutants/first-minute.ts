import type { Stage } from './mutant.ts'

/** What a newcomer sees first, and what the app says of recordings. */
export const firstMinute: Stage = {
  name: 'first minute',
  tests: ['apps/web/test/scenes.test.ts', 'apps/web/src/formats', 'packages/react/src/threads'],
  mutants: [
    {
      file: 'packages/react/src/threads/thread-status.ts',
      find: '(agent === undefined ? statusWithoutAgent[outcome] : undefined) ?? ',
      replace: '',
      promise: 'a recording waits for no client, and was not stopped by the user',
    },
    {
      file: 'apps/web/src/thread/read-only-note.tsx',
      find: "run !== undefined && run.agent === undefined && run.state === 'ended'",
      replace: 'false',
      promise: 'a recording is read-only',
    },
    {
      file: 'apps/web/src/thread/thread-page.tsx',
      find: 'run === undefined ? available[0] : undefined',
      replace: 'available[0]',
      promise: 'only a person decides that another agent goes on',
    },
    {
      file: 'apps/web/src/thread/messages.tsx',
      find: "=== 'stopped'",
      replace: "!== 'stopped'",
      promise: 'a run that broke off was not stopped by the user',
    },
    {
      file: 'apps/web/src/recordings/detect-recording.ts',
      find: '  if (bytes.includes(0)) return false\n',
      replace: '',
      promise: 'a file that is no text is refused as such',
    },
    {
      file: 'apps/web/src/recordings/detect-recording.ts',
      find: 'guess === undefined ? others : [guess, ...others]',
      replace: 'others',
      promise: 'the best guess comes first',
    },
    {
      file: 'apps/web/src/recordings/use-import.ts',
      find: '            opens = false\n',
      replace: '',
      promise: 'the first of several files stays in view',
    },
    {
      file: 'apps/web/src/recordings/use-import.ts',
      find: 'lastSend.current = lastSend.current.then(attempt)',
      replace: 'void attempt()',
      promise: 'recordings are sent one after the other',
    },
    {
      file: 'apps/web/src/start/arrivals.tsx',
      find: "      if (change.type === 'begun') noteRunning()\n",
      replace: '',
      promise: 'what was under way before is not announced',
    },
    {
      file: 'apps/web/src/start/arrivals.tsx',
      find: 'lastRun.agent !== undefined || ',
      replace: '',
      promise: 'the runs of own agents are not announced',
    },
    {
      file: 'apps/web/src/formats/picture.ts',
      find: ': steady.findIndex(({ segment }) => !isFinished(segment))',
      replace: ': -1',
      promise: 'only what is finished is compared',
    },
    {
      file: 'apps/web/src/formats/picture.ts',
      find: '(texts[index] === most ? [] : [runId])',
      replace: '(texts[index] !== undefined ? [] : [runId])',
      promise: 'a picture that differs is named',
    },
  ],
}

/** The five formats, with a server that is killed. */
export const formatsInBrowser: Stage = {
  name: 'formats in the browser',
  tests: ['test/browser/first-minute.test.ts'],
  mutants: [
    {
      file: 'apps/web/src/formats/column-store.ts',
      find: 'new WebSocket(addressOf(next.seq))',
      replace: 'new WebSocket(addressOf(Math.max(0, next.seq - 3)))',
      promise: 'a viewer comes back with the last entry that it has',
    },
    {
      file: 'packages/server/src/show/child-server.ts',
      find: "    victim.kill('SIGKILL')\n    await gone\n",
      replace: '    gone.catch(() => undefined)\n',
      promise: 'a kill ends the process',
    },
    {
      file: 'packages/server/src/show/feed.ts',
      find: 'index = from; index',
      replace: 'index = from + 1; index',
      promise: 'a program goes on with the record that the log does not have',
    },
  ],
}
