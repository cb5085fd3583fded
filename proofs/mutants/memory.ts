import type { Stage } from './mutant.ts'

/** Bugs of a second list that lived at first: what a member remembers, and what comes a second time. */
export const memory: Stage = {
  name: 'bugs of strangers, memory',
  tests: [
    'packages/server/test/files-unused.test.ts',
    'packages/server/test/run-user-message.test.ts',
    'packages/server/test/run-other-records.test.ts',

    'packages/core/src/api/run-status.test.ts',
    'packages/core/src/client/shared-feed.test.ts',
    'packages/core/src/client/thread-store.test.ts',
    'packages/core/src/data/json-patch.test.ts',
    'packages/core/src/fold/thread-processor/claims.test.ts',
    'packages/core/src/meaning',
    'packages/core/src/normalize/balance',
    'test/sources.test.ts',
    'test/wires-memory.test.ts',
  ],
  mutants: [
    {
      file: 'packages/server/src/files/files.ts',
      find: 'if (failed !== undefined) throw failed.reason',
      replace: 'if (failed === undefined) return',
      promise: 'a file that cannot be removed is reported',
    },
    {
      file: 'packages/server/src/run/user-message.ts',
      find: "text === '' && files.length === 0 && toolOutputs.length > 0",
      replace: "text === '' && toolOutputs.length > 0",
      promise: 'files beside outputs of tools become part of the run',
    },
    {
      file: 'packages/server/src/run/stored-records.ts',
      find: "if (input.by === 'producer' && passed++ >= line) yield input",
      replace: "if (passed++ >= line && input.by === 'producer') yield input",
      promise: 'a resumed body is compared with the records from its line on',
    },
    {
      file: 'packages/server/src/run/ingest.ts',
      find: '  await compare(source.end())\n',
      replace: '',
      promise: 'a last line without a line break is compared, too',
    },
    {
      file: 'packages/core/src/source/lines.ts',
      find: "      skipLineFeed = false\n      if (text.includes('\\r'))",
      replace: "      if (from === 1) skipLineFeed = false\n      if (text.includes('\\r'))",
      promise: 'an LF that begins a later slice ends its line',
    },
    {
      file: 'packages/core/src/source/sniff.ts',
      find: "found = line.trim() === '' ? undefined : 'json-lines'",
      replace: "found = 'json-lines'",
      promise: 'blank lines after an array in one line change nothing',
    },
    {
      file: 'packages/core/src/normalize/balance/calls.ts',
      find: 'if ((call === undefined || call === callId) && (parent === undefined || parent === parentCallId)) return event',
      replace: 'if (call === undefined || call === callId) return event',
      promise: 'a nested call names its parent as it was emitted',
    },
    {
      file: 'packages/core/src/fold/thread-processor/claims.ts',
      find: 'thoughts = thought === undefined ? [] : [...thoughts, thought]',
      replace: 'thoughts = thought === undefined ? [] : [thought]',
      promise: 'several thoughts are each shown once',
    },
    {
      file: 'packages/core/src/wire/ag-ui/blocks.ts',
      find: '      block.citations = citations ?? block.citations',
      replace: '      block.citations = citations',
      promise: 'citations outlive later patches',
    },
    {
      file: 'packages/core/src/wire/agent-event/roles.ts',
      find: '    end({ messageId, agentId }) {\n      const index = open.findLastIndex((one) => one.messageId === messageId && one.agentId === agentId)',
      replace: '    end({ messageId }) {\n      const index = open.findLastIndex((one) => one.messageId === messageId)',
      promise: 'messages of one id belong to two agents',
    },
    {
      file: 'packages/core/src/wire/event-segments/drafts.ts',
      find: '    return named ?? open.at(-1) ?? last',
      replace: '    return named ?? last',
      promise: 'what names no message is of the open one',
    },
    {
      file: 'packages/core/src/wire/ds-agent/steps.ts',
      find: '      ending.at = outbox.now()\n',
      replace: '',
      promise: 'a step lasts until its calls are done',
    },
    {
      file: 'packages/core/src/client/thread-store.ts',
      find: '      if (load === loads) error = connectionError(cause)',
      replace: '      error = connectionError(cause)',
      promise: 'an older load that fails does not replace a newer one',
    },
    {
      file: 'packages/core/src/client/tab-messages.ts',
      find: "new Set<Connection>(['connecting', 'live', 'waiting', 'offline'])",
      replace: "new Set<Connection>(['connecting', 'live', 'waiting'])",
      promise: 'a leading tab that is offline says so',
    },
    {
      file: 'packages/core/src/client/following-tab.ts',
      find: "      if (message.type === 'ask' || message.type === 'wake') return\n      takeOverAfter(silence)",
      replace: "      takeOverAfter(silence)\n      if (message.type === 'ask' || message.type === 'wake') return",
      promise: 'questions of other tabs are no signs of life',
    },
    {
      file: 'packages/core/src/meaning/code-input.ts',
      find: "name.toLowerCase().replaceAll('-', '_')",
      replace: "name.toLowerCase().replace('-', '_')",
      promise: 'all hyphens of a name count as underscores',
    },
    {
      file: 'packages/core/src/data/json-patch.ts',
      find: '  return Object.keys(one).length === keys.length && keys.every(has)',
      replace: '  return keys.every(has)',
      promise: 'a test fails for a field too many',
    },
    {
      file: 'packages/core/src/api/run-status.ts',
      find: '  return one?.state === other?.state && one?.waitUntil === other?.waitUntil',
      replace: '  return one?.state === other?.state',
      promise: 'another time is another status',
    },
  ],
}
