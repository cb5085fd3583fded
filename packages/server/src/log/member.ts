import type { BusMember } from '../bus/bus.ts'
import type { Log } from './log.ts'

export interface LogOptions {
  /** Where a durable member keeps its files; a shared one keeps none. */
  readonly folder: string
  /** Milliseconds. */
  readonly now?: () => number
  /** The address of the store of a shared member. */
  readonly url?: string
  /** What wakes the other processes of a shared member; default: the store itself. */
  readonly bus?: { readonly member: BusMember; readonly url: string }
  /** How long a node of a shared member has its lease without renewing it, in ms; default: 6,000. */
  readonly leaseTtl?: number
  /** Called when a shared member has lost what wakes other processes, once per outage; default: a warning. */
  readonly report?: (error: Error) => void
}

/** One member of the `log` family. `volatile` says why a restart loses all data. */
export interface LogMember {
  readonly volatile?: string
  /** Whether several processes use one store at the same time: leases end by time, and `url` is needed. */
  readonly isShared?: boolean
  open(options: LogOptions): Promise<Log>
}
