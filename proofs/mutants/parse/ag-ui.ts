import type { Mutant } from '../mutant.ts'

const agUi = 'packages/core/src/parse/ag-ui'

export const mutants: readonly Mutant[] = [
  {
    file: 'packages/core/src/parse/ag-ui.ts',
    find: 'turnTracker.endRun()',
    replace: '',
    promise: 'the text of a run is not part of the message in which the run before thought last',
  },
  {
    file: 'packages/core/src/parse/ag-ui.ts',
    find: 'return Object.keys(extraFields(raw)).length === 0 ? understood(events) : events',
    replace: 'return understood(events)',
    promise: 'extra fields of an end are kept',
  },
  {
    file: `${agUi}/snapshot.ts`,
    find: 'index < from',
    replace: 'false',
    promise: 'a snapshot does not draw the history before what was streamed',
  },
  {
    file: `${agUi}/snapshot.ts`,
    find: 'messageText.trim() === text.text.trim()',
    replace: 'true',
    promise: 'a snapshot replaces a text',
  },
  {
    file: `${agUi}/run.ts`,
    find: "if (ended.type === 'interrupt' || hasOpenQuestions) return 'awaiting-input'",
    replace: "if (ended.type === 'interrupt') return 'awaiting-input'",
    promise: 'a run with an open question awaits input',
  },
  {
    file: `${agUi}/fields.ts`,
    find: 'return timestamp < EARLIEST ? timestamp * 1000 : timestamp',
    replace: 'return timestamp',
    promise: 'seconds are not read as milliseconds',
  },
  {
    file: `${agUi}/chunks.ts`,
    find: '(givenId === undefined || givenId === open.id)',
    replace: 'givenId === open.id',
    promise: 'a chunk without an id continues what is open',
  },
  {
    file: `${agUi}/chunks.ts`,
    find: `\`\${kind}-chunk-\${++minted}\``,
    replace: `\`\${kind}-chunk\``,
    promise: 'a second chunk without an id is a second text',
  },
  {
    file: `${agUi}/snapshot.ts`,
    find: `    else group.push(item)\n`,
    replace: ``,
    promise: 'a text that was sent twice is matched twice',
  },
  {
    file: `${agUi}/snapshot.ts`,
    find: `\`\${parentMessageId}:call-\${at + 1}\``,
    replace: `\`\${parentMessageId}:call\``,
    promise: 'calls of one message without ids are different calls',
  },
  {
    file: `${agUi}/run.ts`,
    find: `        ...earlierEndEvents(end),\n`,
    replace: ``,
    promise: 'the error of a run is shown if another run follows',
  },
]
