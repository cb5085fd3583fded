import type { Stage } from './mutant.ts'
import { stateMutants } from './react-states.ts'

/** The renderer: what it formats, where it links, and how it shows questions. */
export const react: Stage = {
  name: 'react',
  tests: [
    'packages/react/src',
    ...['event-view', 'tool-card', 'sheet', 'boundaries', 'thread'].map(
      (name) => `packages/react/test/${name}.test.ts`,
    ),
  ],
  mutants: [
    ...stateMutants,
    {
      file: 'packages/react/src/segments/cited-text.ts',
      find: 'index === -1 ? sources.push(source) : index + 1',
      replace: 'sources.push(source)',
      promise: 'a source that is cited twice has one number',
    },
    {
      file: 'packages/react/src/segments/cited-text.ts',
      find: 'if (mayStandAfter(marked)) ',
      replace: '',
      promise: 'no mark of a citation stands in code or in a table',
    },
    {
      file: 'packages/react/src/segments/cited-text.ts',
      find: "[...text].slice(0, end).join('').length",
      replace: 'end',
      promise: 'the place of a citation is counted in characters',
    },
    {
      file: 'packages/react/src/pieces.ts',
      find: 'one.variant === other.variant && [one, other]',
      replace: '[one, other]',
      promise: 'a refusal is not joined with an answer that cites',
    },
    {
      file: 'packages/react/src/first-sentence.ts',
      find: '0, 4 * LONGEST',
      replace: '0',
      promise: 'the first sentence costs the same for a text of any length',
    },
    {
      file: 'packages/react/src/markdown/limits.ts',
      find: 'depth <= BLOCK.depth && ',
      replace: '',
      promise: 'a block that nests too deeply is not formatted',
    },
    {
      file: 'packages/react/src/markdown/limits.ts',
      find: 'marks <= BLOCK.marks && ',
      replace: '',
      promise: 'a block of too many marks is not formatted',
    },
    {
      file: 'packages/react/src/markdown/limits.ts',
      find: ' && cells <= BLOCK.cells',
      replace: '',
      promise: 'a table that is padded to millions of cells is not formatted',
    },
    {
      file: 'packages/react/src/markdown/limits.ts',
      find: ' && used.blocks <= TEXT.blocks',
      replace: '',
      promise: 'a text has a limited number of parsers',
    },
    {
      file: 'packages/react/src/markdown/limits.ts',
      find: 'weights[index]?.source === source ? weights[index]',
      replace: 'weights[index] !== undefined ? weights[index]',
      promise: 'a growing tail is weighed again',
    },
    {
      file: 'packages/react/src/markdown/layout.ts',
      find: "at, text: written[at] ?? ''",
      replace: 'at, text: source',
      promise: 'a block that is not formatted is drawn as written',
    },
    {
      file: 'packages/react/src/markdown/references.ts',
      find: "  if (block.includes(']:') && block.replace(DEFINITION, '').trim() === '') return ''\n",
      replace: '',
      promise: 'a block of definitions only is not parsed',
    },
    {
      file: 'packages/react/src/links.ts',
      find: 'storedFileId(url) !== undefined ? url',
      replace: "url?.startsWith('/') ? url",
      promise: 'the only path of the server that is a link is a stored file',
    },
    {
      file: 'packages/react/src/links.ts',
      find: "rel: 'noreferrer noopener'",
      replace: "rel: 'noopener'",
      promise: 'the other page gets no referrer',
    },
    {
      file: 'packages/react/src/markdown/image-link.tsx',
      find: '  if (useContext(InsideLink)) return',
      replace: '  if (useContext(InsideLink) && false) return',
      promise: 'links do not nest',
    },
    {
      file: 'packages/react/src/labels.ts',
      find: "by === undefined ? 'in the stream' : makers[by]",
      replace: "by === undefined ? 'by you' : makers[by]",
      promise: 'an answer in the stream is not shown as the user’s',
    },
    {
      file: 'packages/react/src/segments/tool.tsx',
      find: "isOver ? 'abandoned' : 'asking'",
      replace: "'asking'",
      promise: 'a run that has ended asks nothing',
    },
    {
      file: 'packages/react/src/segments/user-message.tsx',
      find: "event.by === 'server'",
      replace: 'event.role',
      promise: 'a message that a producer sent is not shown as the user’s',
    },
  ],
}
