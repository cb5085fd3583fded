import type { RunStatus } from '../api/run-status.ts'
import type { Entry } from '../entry.ts'
import type { Feed, FeedStatus, Intake } from './feed.ts'
import type { TabMessage } from './tab-messages.ts'

/** Creates the feed that streams from the server. */
export type Connect = (intake: Intake, report: (status: FeedStatus) => void, onBytes: () => void) => Feed

export interface TabRole {
  receive(message: TabMessage): void
  /** The page came back, or the caller requests an attempt now. */
  wake(): void
  leave(): void
}

/** How many of the last entries a tab keeps for tabs that open later. Older entries must be fetched. */
const KEPT_ENTRIES = 2_000

/** The shortest interval, in ms, at which bytes without an entry cause a sign of life. */
const SIGN_OF_LIFE = 5_000

/** The one tab that streams: it passes entries and status on to the other tabs. */
export function createLeadingTab({
  connect,
  intake,
  report,
  post,
  now,
}: {
  readonly connect: Connect
  readonly intake: Intake
  readonly report: (status: FeedStatus) => void
  readonly post: (message: TabMessage) => void
  readonly now: () => number
}): TabRole {
  let keptEntries: Entry[] = []
  let status: FeedStatus = { connection: 'connecting' }
  let runStatus: RunStatus | undefined
  let sentAt = 0

  function send(message: TabMessage): void {
    sentAt = now()
    post(message)
  }

  function sendStatus(): void {
    const { connection, retryAt } = status
    send({ type: 'status', seq: intake.seq(), connection, ...(retryAt !== undefined && { retryAt }) })
  }

  function keep(entries: readonly Entry[]): void {
    keptEntries.push(...entries)
    if (keptEntries.length > 2 * KEPT_ENTRIES) keptEntries = keptEntries.slice(-KEPT_ENTRIES)
  }

  const passingIntake: Intake = {
    seq: intake.seq,
    take(entries) {
      const before = intake.seq()
      const result = intake.take(entries)
      const taken = entries.filter(({ seq }) => seq > before && seq <= intake.seq())
      if (taken.length > 0) {
        keep(taken)
        send({ type: 'entries', entries: taken })
      }
      return result
    },
    noteStatus(next) {
      runStatus = next
      intake.noteStatus(next)
      send({ type: 'run-status', status: next })
    },
  }

  function answer(after: number): void {
    const first = keptEntries[0]?.seq ?? intake.seq() + 1
    if (after < first - 1) send({ type: 'fetch', through: intake.seq() })
    else if (after < intake.seq()) send({ type: 'entries', entries: keptEntries.filter(({ seq }) => seq > after) })
    sendStatus()
    if (runStatus !== undefined) send({ type: 'run-status', status: runStatus })
  }

  const feed = connect(
    passingIntake,
    (next) => {
      status = next
      sendStatus()
      report(next)
    },
    () => {
      if (now() - sentAt >= SIGN_OF_LIFE) sendStatus()
    },
  )
  feed.start()

  return {
    receive(message) {
      if (message.type === 'ask') answer(message.after)
      else if (message.type === 'wake') feed.retryNow()
    },
    wake: feed.retryNow,
    leave: feed.stop,
  }
}
