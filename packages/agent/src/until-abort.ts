/** The promise's result, or a rejection with the signal's reason as soon as it fires. */
export function untilAbort<Value>(promise: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

/**
 * The values of an iterable until the signal fires, whatever the iterable does: one that waits for something else does not
 * hold its reader up. Rejects with the signal's reason.
 */
export async function* valuesUntil<Value>(iterable: AsyncIterable<Value>, signal: AbortSignal): AsyncGenerator<Value> {
  const iterator = iterable[Symbol.asyncIterator]()
  let isDone = false
  try {
    for (;;) {
      const next = await untilAbort(iterator.next(), signal)
      isDone = next.done === true
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    isDone ||= !signal.aborted
    throw error
  } finally {
    if (!isDone) await closed(iterator, signal)
  }
}

/** Its `finally` runs, and is not waited for if it has been asked to stop: it may be waiting itself. */
async function closed(iterator: AsyncIterator<unknown>, signal: AbortSignal): Promise<void> {
  const closing = Promise.resolve(iterator.return?.())
  if (!signal.aborted) await closing
  else closing.catch(() => undefined)
}
