import { SILENT_HEARTBEATS } from './connection.ts'
import type { Feed, FeedStatus, Intake } from './feed.ts'
import { createFollowingTab } from './following-tab.ts'
import { type Connect, createLeadingTab, type TabRole } from './leading-tab.ts'
import type { Channel, Locks, Platform } from './platform.ts'
import { type TabMessage, tabMessageOf } from './tab-messages.ts'

export interface SharedFeedOptions {
  /** Names the lock and the channel: the same for all tabs that watch the run. */
  readonly name: string
  readonly platform: Platform
  readonly locks: Locks
  readonly openChannel: (name: string) => Channel
  readonly heartbeat: number
  readonly connect: Connect
  /** Fetches the entries up to this one into the intake, with a separate request. Never rejects. */
  readonly fetchThrough: (intake: Intake, through: number, signal: AbortSignal) => Promise<void>
}

/**
 * One connection for all tabs of a browser that watch one run. The tab that holds the lock streams and passes entries
 * on; the lock goes to the next tab when that tab closes, and is taken from it when it falls silent. Tabs may overlap
 * or restart from where they are: an entry counts by its `seq`, whichever way it arrived.
 */
export function createSharedFeed(
  { name, platform, locks, openChannel, heartbeat, connect, fetchThrough }: SharedFeedOptions,
  intake: Intake,
  report: (status: FeedStatus) => void,
): Feed {
  let channel: Channel | undefined
  let role: TabRole | undefined
  let stopWakes = () => {}
  /** Leaves the queue for the lock. */
  let leaveQueue = () => {}
  /** Releases the lock. */
  let release = () => {}

  const post = (message: TabMessage) => channel?.postMessage(message)

  /** A tab that has seen the end no longer needs the lock. */
  const followingIntake: Intake = {
    seq: intake.seq,
    take(entries) {
      const result = intake.take(entries)
      if (result === 'ended') stop()
      return result
    },
    noteStatus: intake.noteStatus,
  }

  function become(next: () => TabRole): void {
    role?.leave()
    role = undefined
    role = next()
  }

  function follow(): void {
    const waiting = new AbortController()
    leaveQueue = () => waiting.abort()
    hold({ signal: waiting.signal })
    const silence = SILENT_HEARTBEATS * heartbeat
    const parts = { intake: followingIntake, report, post, platform, silence, takeOver }
    become(() => createFollowingTab({ ...parts, fetchThrough: (...ask) => fetchThrough(followingIntake, ...ask) }))
  }

  function takeOver(): void {
    leaveQueue()
    hold({ steal: true })
  }

  /** Waits for the lock, then leads until the lock is released. A tab whose lock is taken away follows again. */
  function hold(options: Parameters<Locks['request']>[1]): void {
    const requestChannel = channel
    let isLeading = false
    const lead = () => {
      if (channel !== requestChannel) return Promise.resolve()
      isLeading = true
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      become(() => createLeadingTab({ connect, intake, report: reportLeading, post, now: platform.now }))
      return held
    }
    locks.request(name, options, lead).catch(() => {
      if (channel !== requestChannel || requestChannel === undefined) return
      if (isLeading) follow()
      // If the browser refuses locks altogether, the tab uses a connection of its own.
      else if (options.signal?.aborted !== true) lead()
    })
  }

  /** After the end or a final failure the lock goes to the next tab, which connects itself. */
  function reportLeading(status: FeedStatus): void {
    report(status)
    if (status.connection === 'ended' || status.connection === 'failed') stop()
  }

  function stop(): void {
    stopWakes()
    role?.leave()
    role = undefined
    channel?.close()
    channel = undefined
    leaveQueue()
    release()
  }

  function receive(data: unknown): void {
    const message = tabMessageOf(data)
    if (message === undefined) return
    role?.receive(message)
  }

  return {
    start() {
      if (channel !== undefined) return
      channel = openChannel(name)
      channel.onmessage = (event) => receive(event.data)
      stopWakes = platform.onWake(() => role?.wake())
      follow()
    },
    stop,
    retryNow: () => role?.wake(),
  }
}
