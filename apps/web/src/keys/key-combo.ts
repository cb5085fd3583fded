/** A key with its modifiers, as a command names it: `mod` is ⌘ or Ctrl. */
export interface KeyPress {
  readonly key: string
  readonly metaKey: boolean
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  getModifierState?(name: string): boolean
}

const names: { readonly [key: string]: string } = { ' ': 'Space', Esc: 'Escape' }

/** The name of a pressed key, as in the table: `mod+k`, `shift+ArrowLeft`, `?`. Undefined with Alt, which writes characters. */
export function comboOf(event: KeyPress): string | undefined {
  // On many keyboards AltGr, which counts as Ctrl and Alt, is needed for `[` and `\`.
  const isAltGraph = event.getModifierState?.('AltGraph') === true
  if (event.altKey && !isAltGraph) return undefined
  const isCommand = !isAltGraph && (event.metaKey || event.ctrlKey)
  const isLetter = event.key.toLowerCase() !== event.key.toUpperCase() && event.key.length === 1
  const key = names[event.key] ?? (isLetter ? event.key.toLowerCase() : event.key)
  // Which sign needs Shift depends on the keyboard: only for letters and for keys with a name it is a part of the key.
  const hasShift = event.shiftKey && (isLetter || key.length > 1)
  return `${isCommand ? 'mod+' : ''}${hasShift ? 'shift+' : ''}${key}`
}

/** Acts without ⌘ or Ctrl and is a character: a person who speaks or types into the page presses it by accident. */
export function isSingleCharacter(combo: string): boolean {
  const key = combo.replace(/^shift\+/, '')
  return [...key].length === 1 || key === 'Space'
}

const caps: { readonly [part: string]: string } = {
  ...{ Escape: 'Esc', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' },
  ...{ PageUp: 'Page up', PageDown: 'Page down', Delete: 'Del' },
}

/** The caps to press for a key of the table, in order: `['⌘', 'K']`, elsewhere than on a Mac `['Ctrl', 'K']`. */
export function capsOf(keys: string, isMac: boolean): readonly string[] {
  return keys.split(' ').flatMap((combo) => {
    const hasCommand = combo.startsWith('mod+')
    const rest = hasCommand ? combo.slice('mod+'.length) : combo
    const hasShift = rest.startsWith('shift+')
    const key = hasShift ? rest.slice('shift+'.length) : rest
    // A letter with Shift or ⌘ is written as on its cap.
    const cap = caps[key] ?? (hasCommand || hasShift ? key.toUpperCase() : key)
    return [
      ...(hasCommand ? [isMac ? '⌘' : 'Ctrl'] : []),
      ...(hasShift ? ['⇧'] : []),
      key.length > 1 && caps[key] === undefined ? key : cap,
    ]
  })
}

/** One text for a title or `aria-keyshortcuts`. */
export const keysText = (keys: string, isMac: boolean): string => capsOf(keys, isMac).join(isMac ? '' : ' ')

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform)
