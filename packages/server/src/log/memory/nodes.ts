import { randomUUID } from 'node:crypto'

/** The nodes with a lease, and the runs whose commands they send to a producer, for the in-memory log. */
export interface Nodes {
  join(): string
  leave(nodeId: string): void
  has(nodeId: string): boolean
  setFollowing(runId: string, nodeId: string, isFollowing: boolean): void
  isFollowed(runId: string): boolean
  /** Later runs with these ids have no followers yet. */
  forgetRuns(runIds: readonly string[]): void
}

export function createNodes(): Nodes {
  /** For each node, the runs that it follows. */
  const nodes = new Map<string, Set<string>>()
  return {
    join() {
      const id = randomUUID()
      nodes.set(id, new Set())
      return id
    },
    leave: (nodeId) => void nodes.delete(nodeId),
    has: (nodeId) => nodes.has(nodeId),
    setFollowing(runId, nodeId, isFollowing) {
      if (isFollowing) nodes.get(nodeId)?.add(runId)
      else nodes.get(nodeId)?.delete(runId)
    },
    isFollowed: (runId) => [...nodes.values()].some((followed) => followed.has(runId)),
    forgetRuns(runIds) {
      for (const followed of nodes.values()) for (const runId of runIds) followed.delete(runId)
    },
  }
}
