import { LogError } from '../log/errors.ts'
import type { Log, StoredRun } from '../log/log.ts'

/** This process among those that use the log. */
export interface Node {
  /**
   * Calls `act` with the node's id; joins the log before the first call. If the node's lease has ended, `act` is called
   * again with a new id: an id whose lease has ended is never used again.
   */
  use<Result>(act: (nodeId: string) => Promise<Result>): Promise<Result>
  leave(): Promise<void>
}

/** `onLost` is called when the lease has ended although the node has not left: it MUST let go of all its runs. */
export function createNode(log: Log, onLost: () => void): Node {
  let joined: Promise<string> | undefined

  function join(): Promise<string> {
    const forget = () => {
      if (joined === joining) joined = undefined
    }
    const joining = log
      .join(() => {
        forget()
        onLost()
      })
      .catch((error: unknown) => {
        forget()
        throw error
      })
    return joining
  }

  return {
    async use(act) {
      joined ??= join()
      const current = joined
      try {
        return await act(await current)
      } catch (error) {
        if (!(error instanceof LogError) || error.code !== 'unknown-node') throw error
        // The log may have said so already, or another call may have joined again.
        if (joined === current) joined = undefined
        joined ??= join()
        return act(await joined)
      }
    },
    async leave() {
      if (joined === undefined) return
      await log.leave(await joined).catch((error: unknown) => {
        // A closed log has ended every lease.
        if (!isLost(error)) throw error
      })
    },
  }
}

const lost = new Set(['stale-owner', 'unknown-run', 'log-closed'])

/** Whether the run does not belong to this node any more: another one owns it, it is gone, or the log is closed. */
export const isLost = (error: unknown): boolean => error instanceof LogError && lost.has(error.code)

/** Makes the node the owner of an open run. Undefined if the run has ended, has another owner or is gone. */
export async function acquireFree(
  log: Log,
  node: Node,
  runId: string,
  attempt?: number,
): Promise<StoredRun | undefined> {
  try {
    const run = await node.use((nodeId) => log.acquire(runId, nodeId, attempt))
    return run.state === 'ended' ? undefined : run
  } catch (error) {
    const isRefused = error instanceof LogError && (error.code === 'run-owned' || error.code === 'unknown-run')
    if (isRefused) return undefined
    throw error
  }
}
