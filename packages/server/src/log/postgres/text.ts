/**
 * A text as PostgreSQL takes it: UTF-8 without U+0000. What that cannot express, and the mark itself, is written as the mark
 * U+0001 and four hexadecimal digits, so that different texts stay different.
 */
export const storable = (text: string): string =>
  isPlain(text) ? text : text.replace(/[\0\u0001\p{Surrogate}]/gu, (unit) => `\u0001${hexOf(unit)}`)

export const restored = (text: string): string =>
  text.includes('\u0001')
    ? text.replace(/\u0001([0-9a-f]{4})/g, (_mark, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

export const storableOr = (text: string | undefined): string | null => (text === undefined ? null : storable(text))

export const restoredOr = (text: string | null): string | undefined => (text === null ? undefined : restored(text))

/** The copy that is searched: a search that ignores case finds what JavaScript's `toLowerCase` makes equal. */
export const searchable = (text: string): string => text.toLowerCase().toWellFormed().replaceAll('\0', '')

const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0') && !text.includes('\u0001')

const hexOf = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0')

/** To share keys out. */
export function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return hash
}
