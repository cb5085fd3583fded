import type { Stage } from './mutant.ts'

const core = 'packages/core/src'
const folder = `${core}/fold/lens`

/** Which records and entries made a piece, and what each wire sends of it. */
export const lens: Stage = {
  name: 'lens',
  tests: [folder, `${core}/source/write-records.test.ts`, 'test/laws-lens.test.ts'],
  timeout: 300_000,
  mutants: [
    {
      file: `${core}/fold/draft.ts`,
      find: 'draft.watch(seq, draft.firstSeq)',
      replace: 'draft.watch(seq, draft.lastSeq)',
      promise: 'a segment is named by its first entry',
    },
    {
      file: `${core}/fold/fold-state.ts`,
      find: '  touch(draft, entry.seq)\n  return draft\n',
      replace: '  touch(container, entry.seq)\n  return draft\n',
      promise: 'the entry that begins a segment belongs to it',
    },
    {
      file: `${folder}/piece-entries.ts`,
      find: 'byEntry.has(seq) ? [...piecesOf(seq), piece] : piece',
      replace: 'piece',
      promise: 'an entry leads to all segments that it changes',
    },
    {
      file: `${folder}/piece-entries.ts`,
      find: "...(segment.type === 'subagent' ? contentsOf(segment.segments) : []),",
      replace: '',
      promise: 'a subagent has the entries of what it contains, at any depth',
    },
    {
      file: `${folder}/trace.ts`,
      find: 'let read = entries[from - 2]?.rawThrough ?? 0',
      replace: 'let read = entries[from - 1]?.rawThrough ?? 0',
      promise: 'a part of the trace begins with the record of its first entry',
    },
    {
      file: `${folder}/trace.ts`,
      find: 'for (; read < quiet; read++) rows.push({ record: read, isOwn: false })',
      replace: 'read = Math.max(read, quiet)',
      promise: 'records without an event are shown',
    },
    {
      file: `${folder}/trace.ts`,
      find: 'return by !== undefined || rawThrough === 0 ? undefined',
      replace: 'return rawThrough === 0 ? undefined',
      promise: 'what the server adds has no record',
    },
    {
      file: `${folder}/trace.ts`,
      find: "if (entry.event.type === 'raw') raw.add(record)",
      replace: '',
      promise: 'records that were not understood are counted',
    },
    {
      file: `${folder}/matches.ts`,
      find: 'each.kind === kind && each.value === value',
      replace: 'each.kind === kind && each.value.startsWith(value)',
      promise: 'what is marked on both sides is the same',
    },
    {
      file: `${folder}/matches.ts`,
      find: 'if (content.length > 0) return content',
      replace: '',
      promise: 'names of things are marked only if nothing else is the same',
    },
    {
      file: `${core}/data/json-strings.ts`,
      find: "text[at] !== '\\\\' ? 1 : text[at + 1] === 'u' ? 6 : 2",
      replace: '1',
      promise: 'a mark counts an escaped character as one',
    },
    {
      file: `${folder}/shared-starts.ts`,
      find: 'Math.max(commonLength(text, before), commonLength(text, after))',
      replace: 'commonLength(text, before)',
      promise: 'the start that the next record has, too, is cut',
    },
    {
      file: `${core}/source/write-records.ts`,
      find: "`${name === undefined ? '' : `event: ${name}\\n`}${data.join('')}\\n`",
      replace: "`${data.join('')}\\n`",
      promise: 'server-sent events keep their names',
    },
    {
      file: `${core}/wire/emissions.ts`,
      find: 'if (chunks.length === 0) names.add(contentOf(event))',
      replace: '',
      promise: 'an event that a wire sends later, with something else, is found',
    },
    {
      file: `${core}/wire/emissions.ts`,
      find: 'if (ownEntries.has(seq)) {',
      replace: 'if (seq >= first && seq <= last) {',
      promise: 'chunks of other pieces are left out',
    },
  ],
}

const pane = 'apps/web/src/work/lens'

/** The pane of the lens: what it draws of them. */
export const lensPane: Stage = {
  name: 'pane of the lens',
  tests: [pane],
  mutants: [
    {
      file: `${pane}/trace-items.ts`,
      find: 'folded.length < LEAST_FOLDED || opened.has(key) || isKept',
      replace: 'folded.length < LEAST_FOLDED || opened.has(key)',
      promise: 'the open pair is never left out',
    },
    {
      file: `${pane}/trace-items.ts`,
      find: "(kind === 'other' && (isFirst || isLast))",
      replace: 'false',
      promise: 'rows beside the piece are shown',
    },
    {
      file: `${pane}/trace-items.ts`,
      find: 'return now === undefined ? undefined : now - began',
      replace: 'return (now ?? entry.at) - began',
      promise: 'times of two clocks are not compared',
    },
    {
      file: `${pane}/lens-subject.ts`,
      find: 'if (entry === undefined || first !== entry) return false',
      replace: 'if (entry === undefined) return false',
      promise: 'the pair of a piece is no entry alone',
    },
    {
      file: `${pane}/lens-subject.ts`,
      find: 'return !piecesOfRun(chatEvents, runId).some(({ seqs }) => seqs[0] === entry)',
      replace: 'return true',
      promise: 'a link to the first entry of a piece shows the piece',
    },
    {
      file: `${pane}/json-parts.ts`,
      find: 'if (end <= at || begin >= to) continue',
      replace: 'if (end < at || begin > to) continue',
      promise: 'a mark adds nothing to what it does not touch',
    },
    {
      file: `${pane}/json-rows.ts`,
      find: 'if (isOpenAtFirst === toggled.has(at.path)) {',
      replace: 'if (!isOpenAtFirst) {',
      promise: 'a container can be closed and opened',
    },
    {
      file: `${pane}/hops.ts`,
      find: 'delayText(time - start)',
      replace: 'delayText(Math.max(0, time - start))',
      promise: 'a clock that is behind is shown as it is',
    },
    {
      file: `${pane}/record-pages.ts`,
      find: '      asked.delete(page)\n',
      replace: '',
      promise: 'a page that was incomplete or has failed is read again',
    },
  ],
}

/** The lens, live and stored. */
export const lensIsStored: Stage = {
  name: 'lens is stored',
  tests: ['apps/web/test/lens-is-stored.test.ts'],
  timeout: 600_000,
  mutants: [
    {
      file: `${pane}/lens-view.tsx`,
      find: 'links.entriesOf(piece).filter((seq) => seq <= piece.seqs[1])',
      replace: 'links.entriesOf(piece)',
      promise: 'what is later than the moment is not counted',
    },
  ],
}

/** The lens in a page. */
export const lensInBrowser: Stage = {
  name: 'lens in the browser',
  tests: ['test/browser/lens.test.ts'],
  timeout: 300_000,
  mutants: [
    {
      file: `${pane}/trace-row.tsx`,
      find: 'event: joinedMarks(matches.map((match) => match.event)),',
      replace: 'event: [],',
      promise: 'the same bytes are marked on both sides',
    },
    {
      file: 'apps/web/src/work/link/use-chat-link.ts',
      find: 'selection?.runId === piece.runId && selection.seqs[0] === piece.seqs[0]',
      replace: 'false',
      promise: 'a link to a pair opens that pair',
    },
    {
      file: `${pane}/lens-chain.tsx`,
      find: '    onChoose(next)\n',
      replace: '',
      promise: 'the arrow keys choose a station',
    },
  ],
}
