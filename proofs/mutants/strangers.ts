import type { Stage } from './mutant.ts'

/** Bugs that were invented without a look at the tests, and that no test found at first. */
export const strangersInCore: Stage = {
  name: 'bugs of strangers, core',
  tests: [
    'test/laws-scope.test.ts',
    'test/laws-fold.test.ts',
    'test/sources.test.ts',
    'packages/core/src/fold',
    'packages/core/src/data',
    'packages/core/src/wire',
    'test/conformance.test.ts',
  ],
  mutants: [
    {
      file: 'packages/core/src/normalize/todo-tools.ts',
      find: 'const list = listOf(listIdOf(event.agentId ?? call.agentId))',
      replace: 'const list = listOf(listIdOf(event.agentId))',
      promise: 'a task of a subagent stays in the list of the subagent',
    },
    {
      file: 'packages/core/src/fold/timeline.ts',
      find: "isError: state !== 'done'",
      replace: "isError: state === 'failed'",
      promise: 'a denied or cancelled call is an error in the timeline',
    },
    {
      file: 'packages/core/src/fold/thread-processor/reader.ts',
      find: "if (event.type === 'AGENT_MESSAGE' || event.type === 'THINKING') thread.turn",
      replace: "if (event.type === 'AGENT_MESSAGE') thread.turn",
      promise: 'a streamed copy of a stored thought is left out',
    },
    {
      file: 'packages/core/src/fold/steps.ts',
      find: '  if (event.agentId !== undefined) return\n  const chat',
      replace: '  const chat',
      promise: 'a step of a subagent begins no step of the main agent',
    },
    {
      file: 'packages/core/src/data/json-patch.ts',
      find: "part.replaceAll('~1', '/').replaceAll('~0', '~')",
      replace: "part.replaceAll('~0', '~').replaceAll('~1', '/')",
      promise: 'a key with a tilde is found by its escaped name',
    },
    {
      file: 'packages/core/src/source/sniff.ts',
      find: '/^\\[\\s*(?:$|[{["])/',
      replace: '/^\\[\\s*(?:$|[{"])/',
      promise: 'an array of arrays over several lines is an array',
    },
    {
      file: 'packages/core/src/wire/ai-sdk/mobox-usage.ts',
      find: "if (agentId === '') reason = stopReason",
      replace: 'reason = stopReason',
      promise: 'the reason of a finish is that of the main agent',
    },
    {
      file: 'packages/core/src/wire/agent-event/agents.ts',
      find: "agents.get(parentAgentId ?? call?.agentId ?? '')",
      replace: "agents.get(parentAgentId ?? '')",
      promise: 'a nested subagent is the progress of the outermost call',
    },
    {
      file: 'packages/core/src/wire/event-segments/calls.ts',
      find: 'drafts.add(call?.slot.draft ?? drafts.of(event))',
      replace: 'drafts.add(drafts.of(event))',
      promise: 'a result is in the message of its call',
    },
    {
      file: 'packages/core/src/parse/openai-chat/calls.ts',
      find: "id === undefined && name === '' ? calls.at(-1)",
      replace: "id === undefined && name === '' ? calls[0]",
      promise: 'a fragment without an index continues the last call',
    },
  ],
}

export const strangersInServer: Stage = {
  name: 'bugs of strangers, server',
  tests: [
    'packages/server/src/log/sqlite/trouble.test.ts',
    'packages/server/test/chunk-batch.test.ts',
    'packages/server/test/client-tools.test.ts',
    'packages/server/test/verify.test.ts',
    'test/log.test.ts',
  ],
  mutants: [
    {
      file: 'packages/server/src/log/sqlite/watched-writer.ts',
      find: '        () => undefined,\n        () => last,\n      )\n      .finally(() => {\n        probing = undefined\n      })\n',
      replace:
        '        () => undefined,\n        () => {\n          probing = undefined\n          return last\n        },\n      )\n',
      promise: 'trouble is found in every outage',
    },
    {
      file: 'packages/server/src/log/sqlite/append.ts',
      find: '      const first = seq + 1\n',
      replace: '      const first = run.seq + 1\n',
      promise: 'every row of a large append says where it begins',
    },
    {
      file: 'packages/server/src/log/thread-pages.ts',
      find: "const dot = cursor.indexOf('.')",
      replace: "const dot = cursor.lastIndexOf('.')",
      promise: 'a thread whose id has a dot ends a page',
    },
    {
      file: 'packages/server/src/run/client-outputs.ts',
      find: "status: 'ok', output: output ?? null, ...meta }",
      replace: "status: 'ok', output: output || null, ...meta }",
      promise: 'an output that is false is kept',
    },
    {
      file: 'packages/server/src/verify/checks.ts',
      find: 'ahead !== undefined && ahead.at < ahead.events.length\n',
      replace: 'ahead !== undefined && ahead.at < ahead.events.length - 1\n',
      promise: 'one entry too many is found',
    },
    {
      file: 'packages/server/src/deliver/chunk-batch.ts',
      find: ' || (at + 1 < texts.length && seqAt(at + 1) === seqAt(at))) continue',
      replace: ') continue',
      promise: 'the chunks of one entry stay together, and none is lost',
    },
    {
      file: 'packages/server/src/deliver/web-sink.ts',
      find: '  if (left?.aborted) abort()\n  else left?.addEventListener(',
      replace: '  left?.addEventListener(',
      promise: 'a client that has left before is not served',
    },
  ],
}
