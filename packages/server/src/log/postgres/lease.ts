import { randomUUID } from 'node:crypto'
import { LogError } from '../errors.ts'
import type { Connections } from './connections.ts'
import type { Statement } from './session.ts'

/** The leases of this process: renewed by themselves, and given up before the database lets others take its runs. */
export interface Leases {
  join(onLost: () => void): Promise<string>
  leave(nodeId: string): Promise<void>
  /** Notes that a run has an owner of this process, in this epoch. */
  own(runId: string, epoch: number, nodeId: string): void
  disown(runId: string): void
  /** Throws `stale-owner` if the run's owner is a node of this process whose lease may have ended. */
  checkFence(runId: string, epoch: number): void
  /** Ends the leases of nodes whose time has come, and their connections, which may hold locks. */
  bury(): Promise<void>
  /** Leaves with all nodes. */
  close(): Promise<void>
}

export interface LeasesOptions {
  readonly connections: Pick<Connections, 'lease' | 'name' | 'write'>
  /** Milliseconds. */
  readonly ttl: number
  /** Called when nodes were buried: what they were about to do is left to others. */
  readonly onBuried: () => void
}

interface Held {
  /** When the last successful renewal was sent, by the clock that never goes back and by the wall's. */
  sentAt: Moment
  readonly onLost: () => void
  fence: NodeJS.Timeout | undefined
}

interface Moment {
  readonly monotonic: number
  readonly wall: number
}

const moment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/** Monotonic time stands still while a machine sleeps, and wall time may be set back: the larger counts. */
const elapsedSince = (then: Moment) => Math.max(performance.now() - then.monotonic, Date.now() - then.wall)

const JOIN = {
  name: 'join',
  text: `INSERT INTO nodes (id, session, until) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
    ON CONFLICT (id) DO NOTHING`,
}
const RENEW = {
  name: 'renew',
  text: `UPDATE nodes SET until = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = ANY ($1::text[]) AND NOT ended AND until > clock_timestamp() RETURNING id`,
}
const LEAVE = { name: 'leave', text: 'UPDATE nodes SET ended = true WHERE id = ANY ($1::text[])' }
const BURY = {
  name: 'bury',
  text: `UPDATE nodes SET ended = true WHERE NOT ended AND until <= clock_timestamp() AND id <> ALL ($1::text[])
    RETURNING session`,
}
/**
 * Timeouts do not free every lock of a process that was stopped in the middle of a statement. One that has joined again goes on
 * by itself: without its connections it would lose the next lease, too.
 */
const TERMINATE = {
  name: 'terminate',
  text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY ($1::text[])
    AND usename = current_user AND datname = current_database() AND NOT EXISTS (SELECT FROM nodes n
      WHERE n.session = application_name AND NOT n.ended AND n.until > clock_timestamp())`,
}
/** A row stays as long as a run or a follower names it, and a while longer. */
const FORGET = {
  name: 'forget-nodes',
  text: `DELETE FROM nodes n WHERE n.ended AND n.until < clock_timestamp() - interval '1 day'
    AND NOT EXISTS (SELECT FROM runs r WHERE r.owner = n.id)
    AND NOT EXISTS (SELECT FROM followers f WHERE f.node = n.id)`,
}

/** How often a node asks for a lease that has not ended when its answer comes. */
const MOST_JOINS = 5

export function createLeases({ connections, ttl, onBuried }: LeasesOptions): Leases {
  const { lease, name: sessionName } = connections
  /** Not on the connection of renewals, which nothing delays. */
  const write = <Row>(...query: [Statement, (readonly unknown[])?]) => connections.write<Row>('nodes', ...query)
  const held = new Map<string, Held>()
  /** Nodes whose lease has ended, though they did not leave. */
  const lost = new Set<string>()
  const owners = new Map<string, { readonly epoch: number; readonly nodeId: string }>()
  /** A node stops this long before others may bury it. */
  const fencedAfter = ttl - ttl / 6
  let timer: NodeJS.Timeout | undefined
  let isRenewing = false
  let lastBurial: Promise<void> = Promise.resolve()
  let nextBurial: Promise<void> | undefined

  const isFenced = (nodeId: string) => {
    const node = held.get(nodeId)
    return node === undefined ? lost.has(nodeId) : elapsedSince(node.sentAt) >= fencedAfter
  }

  function lose(nodeId: string): void {
    const node = held.get(nodeId)
    if (node === undefined) return
    forget(nodeId)
    lost.add(nodeId)
    // What it owned can be taken at once. If this does not reach the database, its time will.
    write(LEAVE, [[nodeId]]).catch(() => undefined)
    node.onLost()
  }

  function forget(nodeId: string): void {
    clearTimeout(held.get(nodeId)?.fence)
    held.delete(nodeId)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function setFence(nodeId: string, node: Held): void {
    clearTimeout(node.fence)
    const left = Math.max(0, fencedAfter - elapsedSince(node.sentAt))
    node.fence = setTimeout(() => (isFenced(nodeId) ? lose(nodeId) : setFence(nodeId, node)), left)
    node.fence.unref()
  }

  async function renew(): Promise<void> {
    const ids = [...held.keys()]
    const sentAt = moment()
    const rows = await lease.once<{ id: string }>(RENEW, [ids, ttl])
    const renewed = new Set(rows.map(({ id }) => id))
    for (const id of ids) {
      const node = held.get(id)
      if (node === undefined) continue
      if (!renewed.has(id) || elapsedSince(node.sentAt) >= fencedAfter) lose(id)
      else {
        node.sentAt = sentAt
        setFence(id, node)
      }
    }
  }

  /** One after another. An error of the connection is met by the next one, or by the fence. */
  function beat(): void {
    if (isRenewing) return
    isRenewing = true
    renew()
      .catch(() => undefined)
      .finally(() => {
        isRenewing = false
      })
  }

  /** Many ask at the same time for what one statement does: those who come while one waits share the next. */
  function bury(): Promise<void> {
    if (nextBurial !== undefined) return nextBurial
    const burial = lastBurial.then(() => {
      nextBurial = undefined
      return buryNow()
    })
    nextBurial = burial
    lastBurial = burial.catch(() => undefined)
    return burial
  }

  async function buryNow(): Promise<void> {
    const rows = await write<{ session: string }>(BURY, [[...held.keys()]])
    const names = rows.map((row) => row.session).filter((name) => name !== sessionName)
    if (rows.length === 0) return
    // A role without the right to do so leaves it to the timeouts.
    if (names.length > 0) await write(TERMINATE, [names]).catch(() => undefined)
    onBuried()
    await write(FORGET)
  }

  /** Nothing else is on the connection of renewals: behind other statements a lease might end before it is used. */
  async function newLease(): Promise<Pick<Held, 'sentAt'> & { readonly id: string }> {
    for (let tries = 0; tries < MOST_JOINS; tries++) {
      const [id, sentAt] = [randomUUID(), moment()]
      await lease.query(JOIN, [id, sessionName, ttl])
      if (elapsedSince(sentAt) < fencedAfter) return { id, sentAt }
    }
    throw new LogError('log-failed', 'leases end before they are granted')
  }

  return {
    async join(onLost) {
      const { id, sentAt } = await newLease()
      const node: Held = { sentAt, onLost, fence: undefined }
      held.set(id, node)
      setFence(id, node)
      timer ??= setInterval(beat, ttl / 3).unref()
      return id
    },
    async leave(nodeId) {
      forget(nodeId)
      await write(LEAVE, [[nodeId]])
    },
    own: (runId, epoch, nodeId) => void owners.set(runId, { epoch, nodeId }),
    disown: (runId) => void owners.delete(runId),
    checkFence(runId, epoch) {
      const owner = owners.get(runId)
      if (owner === undefined || owner.epoch !== epoch || !isFenced(owner.nodeId)) return
      throw new LogError('stale-owner', `the lease of node "${owner.nodeId}" has ended`)
    },
    bury,
    async close() {
      const ids = [...held.keys()]
      for (const id of ids) forget(id)
      if (ids.length > 0) await write(LEAVE, [ids])
    },
  }
}
