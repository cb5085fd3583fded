import type { Stage } from './mutant.ts'

const src = 'packages/react/src'
const tests = (...names: readonly string[]) => names.map((name) => `packages/react/test/${name}.test.ts`)

/** What a host of the renderer brings: components, labels, its own server, its own page. */
export const reactHost: Stage = {
  name: 'react for a host',
  tests: [`${src}/announcements.test.ts`, ...tests('components', 'labels', 'server-rendering', 'styles')],
  mutants: [
    {
      file: `${src}/components.ts`,
      find: '[segment.name, bareNameOf(segment.name)]',
      replace: '[segment.name]',
      promise: 'a component is found by the bare name of a tool',
    },
    {
      file: `${src}/components.ts`,
      find: '[segment.name, bareNameOf(segment.name)]',
      replace: '[bareNameOf(segment.name), segment.name]',
      promise: 'the whole name of a tool comes before its bare name',
    },
    {
      file: `${src}/components.ts`,
      find: 'Object.hasOwn(tool, each)',
      replace: 'each in tool',
      promise: 'a tool called toString is drawn by our card',
    },
    {
      file: `${src}/pieces.ts`,
      find: '!belongs(piece.segment) || isOwn(piece.segment)',
      replace: '!belongs(piece.segment)',
      promise: 'tools with a component are not joined',
    },
    {
      file: `${src}/pieces.ts`,
      find: "segment.type === 'todos' || isOwn(segment)",
      replace: "segment.type === 'todos'",
      promise: 'a thought or a status with a component is drawn by it',
    },
    {
      file: `${src}/pieces.ts`,
      find: "(piece.kind === 'segment' && piece.segment.type === 'reasoning')",
      replace: 'false',
      promise: 'hidden thoughts are hidden also if the host draws them',
    },
    {
      file: `${src}/markdown/markdown.tsx`,
      find: 'isLive && index === blocks.length - 1 && isListing(block)',
      replace: 'isLive && isListing(block)',
      promise: 'only the last block is still being written',
    },
    {
      file: `${src}/markdown/markdown.tsx`,
      find: 'component={components.markdown}',
      replace: 'component={undefined}',
      promise: 'the host’s markdown component draws every text',
    },
    {
      file: `${src}/segments/chips.tsx`,
      find: '<Linked url={safeLink(url)} title={snippet}>',
      replace: '<Linked url={url} title={snippet}>',
      promise: 'only safe addresses reach the host’s links',
    },
    {
      file: `${src}/thread-view.tsx`,
      find: '<ViewContextProvider value={context}>',
      replace: '<ViewContextProvider value={{ ...context, components: {} }}>',
      promise: 'a thread passes its components on',
    },
    {
      file: `${src}/labels.ts`,
      find: '...withoutAbsent(replacements)',
      replace: '...replacements',
      promise: 'a label that is undefined is none',
    },
    {
      file: `${src}/labels.ts`,
      find: 'locale !== undefined && !isLanguageTag(locale)',
      replace: 'false',
      promise: 'a wrong locale is refused by name',
    },
    {
      file: `${src}/segments/picture.tsx`,
      find: '              {labels.download}\n',
      replace: '              Download\n',
      promise: 'no text is written in a component',
    },
    {
      file: `${src}/segments/chips.tsx`,
      find: 'aria-label={labels.pictures}',
      replace: "aria-label={pictures.length === 1 ? 'Picture' : labels.pictures}",
      promise: 'no spoken attribute is written in a component',
    },
    {
      file: `${src}/durations.ts`,
      find: 'return durationMs === undefined ? done',
      replace: "return durationMs === undefined ? 'Finished'",
      promise: 'no text hides outside of the elements',
    },
    {
      file: `${src}/announcements.ts`,
      find: '`${key}:${occasionOf(segment)}`, announcement',
      replace: '`${key}:${announcement}`, announcement',
      promise: 'another language announces nothing again',
    },
    {
      file: `${src}/numbers.ts`,
      find: 'new Intl.NumberFormat(locale, digits)',
      replace: "new Intl.NumberFormat('en', digits)",
      promise: 'numbers are written as the locale does',
    },
    {
      file: `${src}/numbers.ts`,
      find: "{ locale = 'en-GB' }: NumberLabels",
      replace: "{ locale = 'en' }: NumberLabels",
      promise: 'without a locale the time of day has 24 hours',
    },
    {
      file: `${src}/segments/user-message.tsx`,
      find: 'timeText(at, labels), blank)',
      replace: 'timeText(at, labels), () => timeText(at, labels))',
      promise: 'the HTML of a server has no time of day',
    },
    {
      file: `${src}/elapsed.tsx`,
      find: 'useState<number>()',
      replace: 'useState<number | undefined>(now)',
      promise: 'the HTML of a server has no counter',
    },
    {
      file: `${src}/markdown/markdown.tsx`,
      find: '<InsideLink.Provider value={true}>{children}</InsideLink.Provider>',
      replace: '<InsideLink value={true}>{children}</InsideLink>',
      promise: 'nothing of React 19 alone is used',
    },
    {
      file: `${src}/copy-button.tsx`,
      find: '  const { labels } = useViewContext()\n',
      replace: '  const { labels } = useViewContext()\n  if (navigator === null) return undefined\n',
      promise: 'nothing of a browser is read while drawing',
    },
    {
      file: `${src}/styles/cards.css`,
      find: ':where(.millrace) .mr-badge {',
      replace: '.mr-badge {',
      promise: 'every selector stays inside .millrace',
    },
  ],
}

/** The same in a browser: what throws, what is drawn again, and the page of a server that is taken over. */
export const reactHostInBrowser: Stage = {
  name: 'react for a host, in a browser',
  tests: tests('components-in-browser', 'hydration'),
  mutants: [
    {
      file: `${src}/slot.tsx`,
      find: '<Boundary of={of} fallback={fallback}>',
      replace: '<Boundary of={of} fallback={undefined}>',
      promise: 'a component that throws is replaced by our view',
    },
    {
      file: `${src}/view-context.ts`,
      find: 'areEqual(kept, value, 2)',
      replace: 'areEqual(kept, value, 1)',
      promise: 'equal tables of components draw nothing again',
    },
    {
      file: `${src}/segments/user-message.tsx`,
      find: 'timeText(at, labels), blank)',
      replace: 'timeText(at, labels), () => timeText(at, labels))',
      promise: 'the time of day differs between server and reader without a warning',
    },
  ],
}
