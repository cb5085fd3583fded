import type { Stage } from './mutant.ts'

const folder = 'packages/core/src/fold'

export const fold: Stage = {
  name: 'fold',
  tests: ['test/laws-fold.test.ts', folder, 'packages/core/src/json-patch.test.ts'],
  mutants: [
    {
      file: `${folder}/draft.ts`,
      find: 'node = node.parent) {',
      replace: 'node = undefined) {',
      promise: 'a change shows in everything around it',
    },
    {
      file: `${folder}/draft.ts`,
      find: 'draft.frozen ??= draft.freeze(draft as never)',
      replace: 'draft.frozen = draft.freeze(draft as never)',
      promise: 'what did not change keeps its identity',
    },
    {
      file: `${folder}/run-clock.ts`,
      find: 'anchor === undefined ? at : anchor.sentAt + (at - anchor.at)',
      replace: 'at',
      promise: 'no duration is taken between two clocks',
    },
    {
      file: `${folder}/run-clock.ts`,
      find: 'anchor.sentAt + (at - anchor.at)',
      replace: 'anchor.sentAt',
      promise: 'what is not dated by the framework keeps its distance',
    },
    {
      file: `${folder}/run-clock.ts`,
      find: 'latest = Math.min(latest, sentAt)',
      replace: 'latest = Math.max(latest, sentAt)',
      promise: 'a run that was imported later ends on the clock of its recording',
    },
    {
      file: `${folder}/reduce-others.ts`,
      find: 'count < NAMED_RAW ? named : { seqs, records }',
      replace: 'named',
      promise: 'what is not understood is counted in constant time and space',
    },
    {
      file: `${folder}/draft.ts`,
      find: 'Math.max(draft.fields.startedAt, entry.at)',
      replace: 'entry.at',
      promise: 'no piece ends before it has started',
    },
    {
      file: `${folder}/run-clock.ts`,
      find: '    onFrameworkClock(sentAt)\n',
      replace: '',
      promise: 'no message starts behind the end of a later one',
    },
    {
      file: `${folder}/draft.ts`,
      find: '  for (const child of draft.children ?? []) limitTimes(child, latest)\n',
      replace: '',
      promise: 'all that a message holds is on the clock of its run',
    },
    {
      file: `${folder}/join-runs.ts`,
      find: 'endedAt: Math.max(startedAt, endedAt)',
      replace: 'endedAt',
      promise: 'a call does not end before it has started, whatever run brings its output',
    },
    {
      file: `${folder}/reduce-tools.ts`,
      find: "event.state !== 'requested' && entry.by !== undefined",
      replace: 'entry.by !== undefined',
      promise: 'who asked is not taken for who answered',
    },
    {
      file: `${folder}/reduce-tools.ts`,
      find: '    const { by: _by, ...before } = tool.fields.approval ?? {}\n',
      replace: '    const before = tool.fields.approval ?? {}\n',
      promise: 'an answer of the stream is not shown as a person’s',
    },
    {
      file: `${folder}/join-runs.ts`,
      find: '    ...(by !== undefined && { by }),\n',
      replace: '',
      promise: 'a joined answer says who gave it',
    },
    {
      file: `${folder}/fold-state.ts`,
      find: '    ...(entry.by !== undefined && { by: entry.by }),\n',
      replace: '',
      promise: 'a message says who made it',
    },
    {
      file: `${folder}/fold.ts`,
      find: 'if (entry.seq <= lastSeq) continue',
      replace: 'if (entry.seq < lastSeq) continue',
      promise: 'an entry is applied once',
    },
    {
      file: `${folder}/fold.ts`,
      find: "  'step-end': ignore,\n",
      replace: '',
      promise: 'every event type has a reducer',
      by: 'types',
    },
    {
      file: `${folder}/reduce-tools.ts`,
      find: 'progress: progress.slice()',
      replace: 'progress',
      promise: 'a snapshot that was given away never changes',
    },
    {
      file: `${folder}/reduce-tools.ts`,
      find: 'for (const text of input.unread) input.parser.push(text)',
      replace:
        "for (const text of input.unread) input.parser.push(text)\n  input.text += ''.padEnd(input.unread.length - 1)",
      promise: 'looking at a fold does not change it',
    },
    {
      file: `${folder}/reduce-others.ts`,
      find: 'lines: draft.fields.lines.slice()',
      replace: 'lines: draft.fields.lines',
      promise: 'a snapshot that was given away never changes',
    },
    {
      file: `${folder}/reduce-messages.ts`,
      find: "chat.fields.state = 'retracted'",
      replace: "chat.fields.state = 'done'",
      promise: 'a retracted message is retracted',
    },
    {
      file: 'packages/core/src/usage-total.ts',
      find: "if (event.mode === 'add') sum(counts, event)\n  else assign(counts, event)",
      replace: 'sum(counts, event)',
      promise: 'a snapshot of usage replaces the one before',
    },
    {
      file: `${folder}/partial-json/container.ts`,
      find: 'const copy = { ...fields }',
      replace: 'const copy = fields',
      promise: 'a value that was given away never changes',
    },
    {
      file: `${folder}/partial-json.ts`,
      find: 'digits.length === 4',
      replace: 'digits.length === 2',
      promise: 'escapes are read whole',
    },
    {
      file: 'packages/core/src/json-patch.ts',
      find: "'~1'",
      replace: "'~2'",
      promise: 'a patch finds keys with a slash',
    },
    {
      file: `${folder}/blocks.ts`,
      find: 'Math.max(1, Math.round(durationMs / 1000))',
      replace: 'Math.floor(durationMs / 1000)',
      promise: 'a label never says zero seconds',
    },
    {
      file: `${folder}/timeline.ts`,
      find: "    .filter((chatEvent) => chatEvent.state !== 'retracted')\n",
      replace: '',
      promise: 'what was retracted is left out of the timeline',
    },
    {
      file: `${folder}/message-row.ts`,
      find: "return parts.filter((part) => part.text !== '')",
      replace: 'return parts',
      promise: 'a row has no empty parts',
    },
  ],
}
