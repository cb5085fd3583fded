/** Bytes → text, whole characters only: a character cut by a chunk's edge waits for its other half. A BOM is dropped. */
export function createDecoder(): { decode(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder()
  return {
    decode: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}
