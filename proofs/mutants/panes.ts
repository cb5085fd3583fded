import type { Stage } from './mutant.ts'

const folder = 'apps/web/src/work'

/** The panes beside the chat: what they draw, live and stored. */
export const panes: Stage = {
  name: 'panes',
  tests: [folder, 'apps/web/test/panes-are-stored.test.ts'],
  mutants: [
    {
      file: `${folder}/code/file-rows.ts`,
      find: 'filter(({ from }) => !opened.has(from))',
      replace: 'filter(() => true)',
      promise: 'lines that are left out can be opened',
    },
    {
      file: `${folder}/code/file-rows.ts`,
      find: 'stepOf(row) !== stepOf(rows[index - 1])',
      replace: 'true',
      promise: 'adjacent lines of one step name it once',
    },
    {
      file: `${folder}/code/file-rows.ts`,
      find: 'index < removed ? rows[at + index]',
      replace: 'index <= removed ? rows[at + index]',
      promise: 'each line is once beside the other text',
    },
    {
      file: `${folder}/code/file-tree.ts`,
      find: "Number(one.path === '') - Number(other.path === '')",
      replace: "Number(other.path === '') - Number(one.path === '')",
      promise: 'files without a folder come last',
    },
    {
      file: `${folder}/code/file-tree.ts`,
      find: 'if (rows.length > 0) return',
      replace: 'if (rows.length > 9) return',
      promise: 'a line that was changed twice counts once',
    },
    {
      file: `${folder}/code/line-tokens.ts`,
      find: '    at += part.length\n',
      replace: '',
      promise: 'a mark is where the lines differ',
    },
    {
      file: `${folder}/code/subject.ts`,
      find: 'opened ?? newest(ofCall)',
      replace: 'newest(ofCall) ?? opened',
      promise: 'a file that was opened stays',
    },
    {
      file: `${folder}/code/subject.ts`,
      find: 'one.step > other.step ||',
      replace: 'one.step < other.step ||',
      promise: 'the newest change is shown',
    },
    {
      file: `${folder}/files/shelf-items.ts`,
      find: 'return opened ?? ofCall ?? newest(items)',
      replace: 'return ofCall ?? opened ?? newest(items)',
      promise: 'what was opened stays, whatever call runs',
    },
    {
      file: `${folder}/files/shelf-items.ts`,
      find: 'if (!INERT_IMAGE.test(type)) return undefined',
      replace: '',
      promise: 'what is no image has no address',
    },
    {
      file: `${folder}/files/csv-rows.ts`,
      find: "    value += '\"'\n",
      replace: '',
      promise: 'a doubled quote is a quote',
    },
  ],
}

/** The panes in a page: selection, keys, and links both ways. */
export const panesInBrowser: Stage = {
  name: 'panes in the browser',
  tests: ['test/browser/workbench.test.ts', 'test/browser/files.test.ts'],
  mutants: [
    {
      file: `${folder}/link/use-chat-link.ts`,
      find: 'if (piece !== undefined && !isSelected(piece, store.snapshot())) store.select(piece)',
      replace: '',
      promise: 'a click in the chat selects',
    },
    {
      file: `${folder}/scroll.ts`,
      find: 'if (!isInView) scrollSmoothly(box, box.scrollTop',
      replace: 'scrollSmoothly(box, box.scrollTop',
      promise: 'a piece in view stays where it is',
    },
    {
      file: `${folder}/code/editor-row.tsx`,
      find: "step === currentStep ? ' line-current' : ''",
      replace: "''",
      promise: 'the lines of the selected step are barred',
    },
    {
      file: `${folder}/files/preview.tsx`,
      find: 'sandbox=""',
      replace: 'sandbox="allow-scripts allow-forms allow-popups allow-top-navigation"',
      promise: 'a page of an agent has no permission',
    },
    {
      file: `${folder}/files/inert-page.ts`,
      find: "default-src 'none'; img-src data:",
      replace: 'img-src *',
      promise: 'a page of an agent fetches nothing',
    },
  ],
}
