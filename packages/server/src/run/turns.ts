/** One at a time for each key, in the order of asking. */
export interface RunLocks {
  take<Result>(key: string, act: () => Promise<Result>): Promise<Result>
}

export function createRunLocks(): RunLocks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(key, act) {
      const before = last.get(key)
      const turn = before === undefined ? act() : before.then(act, act)
      last.set(key, turn)
      try {
        return await turn
      } finally {
        if (last.get(key) === turn) last.delete(key)
      }
    },
  }
}
