import type { Stage } from './mutant.ts'

const folder = 'apps/web/src/timeline'

/** The timeline: its rows, its sums, its path, live and stored. */
export const timeline: Stage = {
  name: 'timeline',
  tests: [folder, 'apps/web/test/timeline-is-stored.test.ts'],
  mutants: [
    {
      file: `${folder}/spent.ts`,
      find: '(up.has(index) ? 1 : 0)',
      replace: '0',
      promise: 'the parts that are shown add up to the wall time that is shown',
    },
    {
      file: `${folder}/step-tree.ts`,
      find: 'filter(({ asked }) => asked === undefined)',
      replace: 'filter(() => true)',
      promise: 'each span has one row',
    },
    {
      file: `${folder}/group-trees.ts`,
      find: 'for (const agentId of own.keys()) if (!agents.has(agentId)) agents.set(agentId, [])\n',
      replace: '',
      promise: 'a subagent that did nothing yet has a row',
    },
    {
      file: `${folder}/times-at.ts`,
      find: 'if (length < read) {',
      replace: 'if (length < 0) {',
      promise: 'a moment before is read anew',
    },
    {
      file: `${folder}/rows.ts`,
      find: 'if (isOpen === false) claim(node, row)',
      replace: 'if (isOpen === undefined) claim(node, row)',
      promise: 'the path goes through the folded row that holds a span',
    },
    {
      file: `${folder}/rows.ts`,
      find: 'span === undefined ? row : rowOf',
      replace: 'span === undefined ? undefined : rowOf',
      promise: 'the path is one line where nothing was at work',
    },
    {
      file: `${folder}/row-times.ts`,
      find: 'Math.max(reached, span.startedAt)',
      replace: 'span.startedAt',
      promise: 'time that overlaps is counted once',
    },
    {
      file: `${folder}/row-times.ts`,
      find: 'isDated || wall',
      replace: 'wall',
      promise: 'times of the framework are times',
    },
    {
      file: `${folder}/lanes.ts`,
      find: 'Math.min(to, right) - Math.max(from, left)',
      replace: 'to - from',
      promise: 'what was written is counted when it was',
    },
    {
      file: `${folder}/bars.ts`,
      find: 'const inside = Math.min(to, phase.to) - Math.max(from, phase.from)',
      replace: 'const inside = phase.to - phase.from',
      promise: 'a bar is cut at the edges of the window',
    },
    {
      file: `${folder}/axis.ts`,
      find: 'const isInside = around !== undefined && around >= window.from && around <= window.to',
      replace: 'const isInside = around !== undefined',
      promise: 'what is not in view does not move the window',
    },
  ],
}

/** The timeline in a page: keys, drag, selection, widths, long runs. */
export const timelineInBrowser: Stage = {
  name: 'timeline in the browser',
  tests: ['test/browser/timeline.test.ts'],
  mutants: [
    {
      file: `${folder}/use-run-times.ts`,
      find: 'const grown = isGrowing ?',
      replace: 'const grown = !isGrowing ?',
      promise: 'a silent live run grows',
    },
    {
      file: `${folder}/timeline-view.tsx`,
      find: '    store.select({ runId: times.runId, seqs, ...(callId !== undefined && { callId }) })\n',
      replace: '',
      promise: 'a chosen row is the selection of the thread',
    },
    {
      file: `${folder}/use-timeline-keys.ts`,
      find: 'else if (row?.isOpen === true) choose(current + 1)',
      replace: '',
      promise: 'the right arrow goes into a row',
    },
    {
      file: 'apps/web/src/work/rows-in-view.ts',
      find: 'rowAt(tops, top + edge.height + BEYOND + STEP) + 1',
      replace: 'tops.length',
      promise: 'only the rows in view are drawn',
    },
    {
      file: `${folder}/overview.tsx`,
      find: 'if (next.to - next.from >= span * LEAST_DRAG) onWindow(next)',
      replace: '',
      promise: 'dragging chooses a part of the time',
    },
  ],
}
