import type { Bell } from '../bell.ts'
import { checkEpoch, hasExpired, mayAcquire } from '../lease-rules.ts'
import type { Log, StoredRun } from '../log.ts'
import type { Inbox } from './inbox.ts'
import type { Nodes } from './nodes.ts'

interface OwnedRun {
  readonly info: StoredRun
  readonly inbox: Inbox
}

/** What the in-memory log lends to the operations about owners and commands. */
export interface OwnershipContext<Run extends OwnedRun> {
  checkOpen(operation: string): void
  clock(): number
  /** Throws `unknown-run`. */
  find(runId: string): Run
  /** Replaces the run's fields, and tells its watchers. */
  change(run: Run, info: StoredRun): StoredRun
  infos(): readonly StoredRun[]
  readonly ring: Bell['ring']
}

type Ownership = Pick<
  Log,
  'join' | 'leave' | 'acquire' | 'release' | 'expired' | 'tell' | 'commands' | 'setFollowing' | 'isFollowed'
>

export function createOwnership<Run extends OwnedRun>(context: OwnershipContext<Run>, nodes: Nodes): Ownership {
  const { checkOpen, clock, find, change, infos, ring } = context
  return {
    async join() {
      checkOpen('join')
      return nodes.join()
    },
    async leave(nodeId) {
      checkOpen('leave')
      nodes.leave(nodeId)
    },
    async acquire(runId, nodeId, attempt) {
      checkOpen('acquire a run')
      const run = find(runId)
      if (!mayAcquire(run.info, nodeId, attempt, nodes.has)) return run.info
      const { waitUntil: _wait, ...info } = run.info
      const epoch = info.epoch + 1
      return change(run, { ...info, state: 'live', owner: nodeId, epoch, attempt: attempt ?? info.attempt })
    },
    async release(runId, epoch, waitFor) {
      checkOpen('release a run')
      const run = find(runId)
      checkEpoch(run.info, epoch)
      if (run.info.state === 'ended') return
      const { owner: _owner, waitUntil: _wait, ...info } = run.info
      const wait = waitFor === undefined ? {} : { waitUntil: clock() + waitFor }
      change(run, { ...info, state: 'waiting', ...wait })
    },
    async expired() {
      checkOpen('list runs')
      const now = clock()
      return infos().filter((info) => hasExpired(info, nodes.has, now))
    },
    async tell(runId, command) {
      checkOpen('take a command')
      const stored = find(runId).inbox.tell(command, clock())
      ring({ runId })
      return stored
    },
    async commands(runId, query) {
      checkOpen('list commands')
      const { info, inbox } = find(runId)
      return inbox.list(info.state, query)
    },
    async setFollowing(runId, nodeId, isFollowing) {
      checkOpen('follow a run')
      find(runId)
      nodes.setFollowing(runId, nodeId, isFollowing)
    },
    async isFollowed(runId) {
      checkOpen('find followers')
      return nodes.isFollowed(runId)
    },
  }
}
