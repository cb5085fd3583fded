/**
 * Yields `chunks` until `signal` fires. Then it throws the signal's reason at once, even while a chunk is awaited, and
 * closes the iterator of `chunks`. `onClosing` is called with a promise that settles when the iterator is closed: a
 * generator has then run its `finally`.
 */
export async function* chunksUntil(
  signal: AbortSignal,
  chunks: AsyncIterable<Uint8Array>,
  onClosing: (closed: Promise<unknown>) => void = () => undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    while (true) {
      const step = await nextUntil(signal, iterator)
      if (step.done === true) return
      yield step.value
    }
  } finally {
    // Not awaited: a producer that hangs would block its reader.
    const closed = iterator.return?.().catch(() => undefined)
    if (closed !== undefined) onClosing(closed)
  }
}

/** Adds one listener per step and removes it: one for the whole stream would accumulate a promise per chunk. */
function nextUntil(
  signal: AbortSignal,
  iterator: AsyncIterator<Uint8Array>,
): Promise<IteratorResult<Uint8Array, unknown>> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const done = () => signal.removeEventListener('abort', onAbort)
    iterator.next().then(resolve, reject).finally(done)
  })
}
