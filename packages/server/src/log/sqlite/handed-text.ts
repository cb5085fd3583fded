/**
 * A text on its way to the writing thread. A large one is sent as its UTF-8 bytes, which are transferred: a string
 * would be copied several times. SQL reads both with `CAST(? AS TEXT)`.
 */
export type HandedText = string | Uint8Array<ArrayBuffer>

/** A text of this many characters or more is sent as bytes. */
export const LARGE_TEXT = 128 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** `text` MUST be well formed: UTF-8 has no lone surrogates. */
export const handedText = (text: string): HandedText => (text.length < LARGE_TEXT ? text : encoder.encode(text))

export const textIn = (handed: HandedText): string => (typeof handed === 'string' ? handed : decoder.decode(handed))

/** Frees memory at once: a thread that makes little garbage would keep it for long. The bytes are gone afterwards. */
export function release(buffers: readonly ArrayBuffer[]): void {
  for (const buffer of buffers) buffer.transfer(0)
}

/** The memory that is transferred with these values. */
export const buffersOf = (values: readonly unknown[]): ArrayBuffer[] =>
  values.flatMap((value) => (value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []))
