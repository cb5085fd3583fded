import {
  type Log,
  LogError,
  type NewCommand,
  type Settlement,
  type StoredCommand,
  type StoredRun,
} from '@millrace/server/log'
import { type Contents, copyOf, findIn, note, type ReferenceRun, unowned } from './log-reference-contents.ts'

/** The operations of the reference log about owners and commands. */

export function checkEpoch({ info }: ReferenceRun, epoch: number): void {
  if (epoch !== info.epoch) throw new LogError('stale-owner', `${epoch}`)
}

export function checkNode({ nodes }: Contents, nodeId: string): void {
  if (!nodes.includes(nodeId)) throw new LogError('unknown-node', nodeId)
}

function acquire(contents: Contents, runId: string, nodeId: string, attempt?: number): StoredRun {
  const run = findIn(contents, runId)
  checkNode(contents, nodeId)
  const { info } = run
  if (info.state === 'ended') return info
  if (attempt !== undefined && attempt < info.attempt) throw new LogError('stale-attempt', `${attempt}`)
  if (info.owner !== undefined && contents.nodes.includes(info.owner)) throw new LogError('run-owned', runId)
  const owned = { owner: nodeId, epoch: info.epoch + 1, attempt: attempt ?? info.attempt, state: 'live' } as const
  run.info = { ...unowned(info), ...owned }
  note(contents, info.threadId)
  return run.info
}

function release(contents: Contents, runId: string, epoch: number, waitUntil: number | undefined): void {
  const run = findIn(contents, runId)
  checkEpoch(run, epoch)
  if (run.info.state === 'ended') return
  run.info = { ...unowned(run.info), state: 'waiting', ...(waitUntil !== undefined && { waitUntil }) }
  note(contents, run.info.threadId)
}

function isExpired({ nodes }: Contents, { state, owner, waitUntil }: StoredRun, now: number): boolean {
  if (state === 'ended') return false
  if (owner !== undefined) return !nodes.includes(owner)
  return state === 'waiting' ? waitUntil !== undefined && waitUntil <= now : true
}

function tell({ commands }: ReferenceRun, command: NewCommand, at: number): StoredCommand {
  const repeated = commands.find(({ key }) => key !== undefined && key === command.key)
  if (repeated !== undefined) return repeated
  const stored = { ...copyOf(command), number: commands.length + 1, at }
  commands.push(stored)
  return stored
}

/** The first result of a command stays. */
export function settle(run: ReferenceRun, settlements: readonly Settlement[]): void {
  for (const { number, result } of settlements) {
    run.commands = run.commands.map((each) => (each.number === number ? { result, ...each } : each))
  }
}

/** In an ended run, a command without a result is refused. */
function commandsOf({ info, commands }: ReferenceRun): readonly StoredCommand[] {
  if (info.state !== 'ended') return commands
  return commands.map((command) => ({ result: { state: 'refused', code: 'run-closed' }, ...command }))
}

type Owners = Pick<
  Log,
  'join' | 'leave' | 'acquire' | 'release' | 'expired' | 'tell' | 'commands' | 'setFollowing' | 'isFollowed'
>

export function createReferenceOwners(contents: Contents, now: () => number): Owners {
  let joined = 0
  return {
    async join() {
      const nodeId = `node ${++joined}`
      contents.nodes.push(nodeId)
      return nodeId
    },
    async leave(nodeId) {
      contents.nodes = contents.nodes.filter((id) => id !== nodeId)
    },
    acquire: async (runId, nodeId, attempt) => acquire(contents, runId, nodeId, attempt),
    release: async (runId, epoch, waitFor) =>
      release(contents, runId, epoch, waitFor === undefined ? undefined : now() + waitFor),
    expired: async () => contents.runs.flatMap(({ info }) => (isExpired(contents, info, now()) ? [info] : [])),
    tell: async (runId, command) => tell(findIn(contents, runId), command, now()),
    commands: async (runId, { after, isOpen = false }) =>
      commandsOf(findIn(contents, runId)).filter(
        ({ number, result }) => number > after && (!isOpen || result === undefined),
      ),
    async setFollowing(runId, nodeId, isFollowing) {
      const run = findIn(contents, runId)
      run.followers = [...run.followers.filter((id) => id !== nodeId), ...(isFollowing ? [nodeId] : [])]
    },
    async isFollowed(runId) {
      const run = contents.runs.find(({ info }) => info.id === runId)
      return run?.followers.some((nodeId) => contents.nodes.includes(nodeId)) ?? false
    },
  }
}
