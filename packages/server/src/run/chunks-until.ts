/**
 * What `chunks` gives, until `signal` fires: then its reason is thrown at once, even while a chunk is awaited, and
 * whoever produces them is told that nobody listens any more.
 */
export async function* chunksUntil(
  signal: AbortSignal,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    while (true) {
      const step = await nextUntil(signal, iterator)
      if (step.done === true) return
      yield step.value
    }
  } finally {
    // Not awaited: a producer that hangs would hold its listener up.
    iterator.return?.().catch(() => undefined)
  }
}

/** A listener for each step, removed after it: one for the whole stream would collect a promise per chunk. */
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
