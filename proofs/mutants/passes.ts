import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/normalize'

export const passes: Stage = {
  name: 'normalize: think tags, todos, subagents',
  tests: ['test/laws-conserve.test.ts', folder],
  mutants: [
    {
      file: `${folder}/think-tags/seams.ts`,
      find: "if (!cut.isThought || cut.ending === undefined || last?.kind !== 'reasoning') return undefined",
      replace: 'if (last !== undefined || last === undefined) return undefined',
      promise: 'thoughts with nothing between them are one',
    },
    {
      file: `${folder}/think-tags/seams.ts`,
      find: 'const seam = close + before + open',
      replace: 'const seam = close + open',
      promise: 'no byte between joined thoughts is lost',
    },
    {
      file: `${folder}/think-tags/rewrite.ts`,
      find: '    part.tags = { ...part.tags, seams }\n',
      replace: '',
      promise: 'no byte between joined thoughts of a rewritten text is lost',
    },
    {
      file: `${folder}/think-tags/rewrite.ts`,
      find: 'close === undefined || isContinued ? rest',
      replace: 'close === undefined ? rest',
      promise: 'a rewritten thought that is continued keeps no closing tag',
    },
    {
      file: `${folder}/think-tags.ts`,
      find: 'messageId === event.messageId && agentId === event.agentId',
      replace: 'messageId === event.messageId && (agentId === event.agentId || true)',
      promise: 'the end of a message ends no block of another agent',
    },
    {
      file: `${folder}/think-tags/message-authors.ts`,
      find: "`${agentId ?? ''}\\n${messageId}`",
      replace: "`${agentId === undefined ? '' : ''}\\n${messageId}`",
      promise: 'messages of two agents with one id are two messages',
    },
    {
      file: `${folder}/think-tags/parts.ts`,
      find: 'cut.emptyThoughts += cut.opener + tag',
      replace: 'cut.emptyThoughts += tag',
      promise: 'no byte of an empty thought is lost',
    },
    {
      file: `${folder}/think-tags/scan.ts`,
      find: 'scan.held = text.slice(end)',
      replace: "scan.held = ''",
      promise: 'a tag that is cut in two is found, and no byte of it lost',
    },
    {
      file: `${folder}/think-tags/scan.ts`,
      find: '  read(scan, scan.held, 1)',
      replace: "  scan.held = ''",
      promise: 'an incomplete tag at the end is text',
    },
    {
      file: `${folder}/think-tags.ts`,
      find: "start?.kind !== 'reasoning' && authors.isAssistant(event)",
      replace: "start?.kind !== 'reasoning'",
      promise: 'only the text of an assistant is searched for tags',
    },
    {
      file: `${folder}/todo-tools.ts`,
      find: "const op = call.writes === 'list' ? 'set' : 'update'",
      replace: "const op = 'set'",
      promise: 'a task that is updated leaves the others alone',
    },
    {
      file: `${folder}/todo-tools.ts`,
      find: "['done', 'completed'],",
      replace: "['done', 'pending'],",
      promise: 'a done item is completed',
    },
    {
      file: `${folder}/subagent-tools.ts`,
      find: "if (call?.state === 'started') end(event)",
      replace: '',
      promise: 'a subagent ends with its call',
    },
    {
      file: `${folder}/subagent-tools.ts`,
      find: "state: earlySubagents.has(callId) ? 'reported' : 'announced'",
      replace: "state: 'announced'",
      promise: 'a subagent that the stream reports is not added again',
    },
  ],
}
