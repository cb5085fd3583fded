/** Which keys of the table act: all, only those with ⌘ or Ctrl or a name, or none but Escape. */
export type KeyChoice = 'all' | 'chords' | 'none'

export const keyChoices: { readonly [Choice in KeyChoice]: string } = {
  all: 'All',
  chords: 'No single characters',
  none: 'None',
}

const STORED = 'millrace.keys'

const isChoice = (value: string | null): value is KeyChoice => value !== null && Object.hasOwn(keyChoices, value)

/** What was chosen in this browser. */
export function storedKeyChoice(): KeyChoice {
  try {
    const stored = localStorage.getItem(STORED)
    return isChoice(stored) ? stored : 'all'
  } catch {
    return 'all'
  }
}

export function keepKeyChoice(choice: KeyChoice): void {
  try {
    localStorage.setItem(STORED, choice)
  } catch {
    // A browser that stores nothing has all keys when the page is loaded again.
  }
}
