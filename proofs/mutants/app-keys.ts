import type { Stage } from './mutant.ts'

const folder = 'apps/web/src/keys'

/** The one table of keys, and what reads it. */
export const appKeys: Stage = {
  name: 'app keys',
  tests: ['apps/web/src/keys', 'apps/web/test/scenes.test.ts'],
  only: 'keys of the page|key for the search|the drawer|a pressed key|the caps',
  mutants: [
    {
      file: `${folder}/keys-store.ts`,
      find: '  if (isWriting(target)) return worksInFields(combo)\n',
      replace: '',
      promise: 'a letter is text where a text is written',
    },
    {
      file: `${folder}/writing.ts`,
      find: 'return !CHOICES.includes(target.type)',
      replace: 'return true',
      promise: 'a checkbox is no text',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: 'return !isPressedBy(combo, target)',
      replace: 'return true',
      promise: 'Enter presses the button that has the focus',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: 'return [...inside, ...registrations',
      replace: 'return [...registrations',
      promise: 'the part that has the focus inside acts first',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: 'acts.some((act) => act() !== false)',
      replace: 'acts.some((act) => act() === undefined || true)',
      promise: 'a part that cannot act leaves the key to the next one',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: 'const isAgain = twice && !event.repeat',
      replace: 'const isAgain = twice',
      promise: 'a held key is not a key that is pressed twice',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: '      last = undefined\n',
      replace: '',
      promise: 'another key between two presses makes them two single ones',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: '!repeat || commandOf(name).isStep === true',
      replace: 'true',
      promise: 'a held key repeats steps, and nothing else',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: ' || isComposing(event)) return',
      replace: ') return',
      promise: 'a key that composes a character is no command',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: "if (choice === 'chords' && isSingleCharacter(combo)) return false",
      replace: '',
      promise: 'single characters can be turned off',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: "if (choice === 'none' && combo !== 'Escape') return false",
      replace: '',
      promise: 'all keys can be turned off',
    },
    {
      file: `${folder}/keys-store.ts`,
      find: '      keepKeyChoice(choice)\n',
      replace: '',
      promise: 'the choice of keys is kept in the browser',
    },
    {
      file: `${folder}/key-combo.ts`,
      find: "const isAltGraph = event.getModifierState?.('AltGraph') === true",
      replace: 'const isAltGraph = false',
      promise: 'a bracket is a key on keyboards that need AltGr for it',
    },
    {
      file: `${folder}/key-combo.ts`,
      find: '(isLetter || key.length > 1)',
      replace: 'true',
      promise: 'a sign is the same key with and without Shift',
    },
  ],
}

/** The palette, the keys of the pieces, and what is said while the page is hidden. */
export const appKeysInBrowser: Stage = {
  name: 'app keys in the browser',
  tests: [
    'apps/web/src/palette',
    'apps/web/src/attention',
    'test/browser/keyboard.test.ts',
    'test/browser/attention.test.ts',
  ],
  timeout: 600_000,
  mutants: [
    {
      file: 'apps/web/src/palette/fuzzy.ts',
      find: 'if (found === undefined) return undefined',
      replace: 'if (found === undefined) continue',
      promise: 'every word of the query is found',
    },
    {
      file: 'apps/web/src/palette/fuzzy.ts',
      find: '(text.length - marks.size) * LEFT_OVER',
      replace: '0',
      promise: 'of two texts the one with less around the words comes first',
    },
    {
      file: 'apps/web/src/palette/palette.tsx',
      find: '[...listed, ...others]',
      replace: 'listed',
      promise: 'a thread that the rail has not loaded is found',
    },
    {
      file: 'apps/web/src/palette/palette.tsx',
      find: '    close()\n    entry.choose()',
      replace: '    entry.choose()',
      promise: 'a command acts on what had the focus',
    },
    {
      file: 'packages/react/src/thread/thread-handle.ts',
      find: 'threadWindow.revealRow(index)',
      replace: 'undefined',
      promise: 'a piece that is not in the page is drawn before it takes the focus',
    },
    {
      file: 'packages/react/src/thread/thread-handle.ts',
      find: ', :scope > .mr-asking`)',
      replace: '`)',
      promise: 'a question takes the focus, so that its keys answer it',
    },
    {
      file: 'apps/web/src/thread/thread-commands.tsx',
      find: "router.go({ name: 'start' }, 'replace')",
      replace: '',
      promise: 'a deleted thread is left',
    },
    {
      file: 'apps/web/src/keys/page-commands.ts',
      find: 'if (reading === null) activeElement.blur()\n  else reading.focus({ preventScroll: true })',
      replace: 'activeElement.blur()',
      promise: 'Escape moves the focus from a field to what is read',
    },
    {
      file: 'apps/web/src/attention/changes.ts',
      find: 'before !== undefined && before !== state && isOpen(before)',
      replace: 'before !== state && isOpen(before ?? state)',
      promise: 'what the first list has is no news',
    },
    {
      file: 'apps/web/src/attention/changes.ts',
      find: "'handed-over', 'done'",
      replace: "'handed-over', 'stopped', 'done'",
      promise: 'what a person has stopped is no news',
    },
    {
      file: 'apps/web/src/attention/use-attention.ts',
      find: ' || !document.hidden) return',
      replace: ') return',
      promise: 'a person who looks at the page is not notified',
    },
    {
      file: 'apps/web/src/attention/use-attention.ts',
      find: 'if (isNotifying) for',
      replace: 'for',
      promise: 'the browser says nothing before it was asked for',
    },
    {
      file: 'apps/web/src/attention/use-attention.ts',
      find: '!document.hidden && setMark(undefined)',
      replace: 'undefined',
      promise: 'the title says what happened only until the page is looked at',
    },
  ],
}
