import type { Log } from '../log/log.ts'
import { isLost, type Node } from './node.ts'

/** Notes in the log for which runs this node sends commands to a producer: once, for any number of producers. */
export interface Following {
  /** Returns a function that ends it. */
  follow(runId: string): Promise<() => void>
  /** Notes all of them again: the node has another id. */
  renew(): void
}

export function createFollowing(log: Log, node: Node, report: (error: unknown, runId: string) => void): Following {
  const counts = new Map<string, number>()

  function count(runId: string, change: 1 | -1): number {
    const next = (counts.get(runId) ?? 0) + change
    if (next === 0) counts.delete(runId)
    else counts.set(runId, next)
    return next
  }

  function note(runId: string, isFollowing: boolean): void {
    node
      .use((nodeId) => log.setFollowing(runId, nodeId, isFollowing))
      .catch((error: unknown) => {
        // The thread may have been deleted meanwhile.
        if (!isLost(error)) report(error, runId)
      })
  }

  return {
    async follow(runId) {
      count(runId, 1)
      await node
        .use((nodeId) => log.setFollowing(runId, nodeId, true))
        .catch((error: unknown) => {
          count(runId, -1)
          throw error
        })
      return () => {
        if (count(runId, -1) > 0) return
        note(runId, false)
      }
    },
    renew() {
      for (const runId of counts.keys()) note(runId, true)
    },
  }
}
