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
