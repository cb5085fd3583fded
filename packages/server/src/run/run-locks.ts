/** Runs one function at a time for each key, in the order of the calls. */
export interface RunLocks {
  take<Result>(key: string, act: () => Promise<Result>): Promise<Result>
}

export function createRunLocks(): RunLocks {
  const lastByKey = new Map<string, Promise<unknown>>()
  return {
    async take(key, act) {
      const previous = lastByKey.get(key)
      const result = previous === undefined ? act() : previous.then(act, act)
      lastByKey.set(key, result)
      try {
        return await result
      } finally {
        if (lastByKey.get(key) === result) lastByKey.delete(key)
      }
    },
  }
}
