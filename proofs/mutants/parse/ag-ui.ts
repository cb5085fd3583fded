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
    find: 'if (out.length === before && !isEmpty(extraFields(raw)))',
    replace: 'if (out.length < before)',
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
    find: 'text.trim() === seenText.text.trim()',
    replace: 'true',
    promise: 'a snapshot replaces a text',
  },
  {
    file: `${agUi}/run.ts`,
    find: 'type === undefined ? hasUnansweredCalls :',
    replace: 'type === undefined ? false :',
    promise: 'a run that ends with a call without a result awaits it',
  },
  {
    file: `${agUi}/fields.ts`,
    find: 'sentAt: timestamp < EARLIEST ? timestamp * 1000 : timestamp',
    replace: 'sentAt: timestamp',
    promise: 'seconds are not read as milliseconds',
  },
  {
    file: `${agUi}.ts`,
    find: '(givenId === undefined || givenId === chunk.id)',
    replace: 'givenId === chunk.id',
    promise: 'a chunk without an id continues what is open',
  },
  {
    file: `${agUi}.ts`,
    find: `\`\${kind}-chunk-\${++chunkCount}\``,
    replace: `\`\${kind}-chunk\``,
    promise: 'a second chunk without an id is a second text',
  },
  {
    file: `${agUi}/snapshot.ts`,
    find: `    group.push(item)\n`,
    replace: `    if (group.length === 0) group.push(item)\n`,
    promise: 'a text that was sent twice is matched twice',
  },
  {
    file: `${agUi}/snapshot.ts`,
    find: `\`\${id}:call-\${at + 1}\``,
    replace: `\`\${id}:call\``,
    promise: 'calls of one message without ids are different calls',
  },
  {
    file: `${agUi}/run.ts`,
    find: "if (end?.error !== undefined) out.push({ type: 'status'",
    replace: "if (end?.error === null) out.push({ type: 'status'",
    promise: 'the error of a run is shown if another run follows',
  },
  {
    file: `${agUi}/calls.ts`,
    find: 'for (const file of fileParts(output, callId))',
    replace: 'for (const file of fileParts(undefined, callId))',
    promise: 'an image in the result of a tool is a file',
  },
]
