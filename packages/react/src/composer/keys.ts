interface Key {
  readonly isComposing: boolean
  readonly keyCode: number
}

/** What a key event has as its code while a character is composed. */
const COMPOSING = 229

/**
 * Whether a key belongs to a character that is being composed: then it is no command. The key that ends the composition
 * comes after it in some browsers, and only its old code says so.
 */
export const isComposing = (key: Key): boolean => key.isComposing || key.keyCode === COMPOSING
