/** Runs that requests are about to start: a stop that comes meanwhile means them, too. */
export interface Starts {
  /** Does what may start a run of the thread. The run's id is that of the result. */
  during<Result>(threadId: string, start: () => Promise<Result>, runIdOf: (result: Result) => string): Promise<Result>
  /** The runs of the starts that are under way in a thread, once they have begun. A start that fails has none. */
  underWay(threadId: string): Promise<readonly string[]>
}

export function createStarts(): Starts {
  const byThread = new Map<string, Set<Promise<readonly string[]>>>()

  return {
    async during(threadId, start, runIdOf) {
      const starting = start()
      const begun = starting.then(
        (result) => [runIdOf(result)],
        () => [],
      )
      const others = byThread.get(threadId) ?? new Set()
      byThread.set(threadId, others.add(begun))
      try {
        return await starting
      } finally {
        others.delete(begun)
        if (others.size === 0) byThread.delete(threadId)
      }
    },
    async underWay(threadId) {
      return (await Promise.all(byThread.get(threadId) ?? [])).flat()
    },
  }
}
