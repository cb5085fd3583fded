import type { FeedStatus, Intake } from './feed.ts'
import type { TabRole } from './leading-tab.ts'
import type { Platform } from './platform.ts'
import type { TabMessage } from './tab-messages.ts'

/** How long, in ms, the leading tab may take to answer. A frozen tab does not answer at all. */
const PATIENCE = 3_000

/** A tab that does not stream itself: it takes what the leading tab passes on, and asks for missing entries. */
export function createFollowingTab({
  intake,
  report,
  post,
  platform,
  silence,
  fetchThrough,
  takeOver,
}: {
  readonly intake: Intake
  readonly report: (status: FeedStatus) => void
  readonly post: (message: TabMessage) => void
  readonly platform: Platform
  /** How long the leading tab may be silent, in ms. */
  readonly silence: number
  /** Fetches the entries up to this one with a separate request. Resolves when that has succeeded or failed. */
  readonly fetchThrough: (through: number, signal: AbortSignal) => Promise<void>
  /** Called if the leading tab is dead or frozen. */
  readonly takeOver: () => void
}): TabRole {
  let cancelWait = () => {}
  let fetching: AbortController | undefined
  /** The last question and its time: a tab that makes no headway asks again, but not at once. */
  let askedAfter = -1
  let askedAt = 0

  function takeOverAfter(milliseconds: number): void {
    cancelWait()
    cancelWait = platform.setTimer(milliseconds, () => {
      // A hidden tab's timers are late: the silence may be its own sleep.
      if (platform.isHidden()) takeOverAfter(silence)
      else takeOver()
    })
  }

  function ask(): void {
    askedAfter = intake.seq()
    askedAt = platform.now()
    post({ type: 'ask', after: askedAfter })
  }

  function askUnlessPending(): void {
    const isNew = askedAfter !== intake.seq() || platform.now() - askedAt >= PATIENCE
    if (fetching === undefined && isNew) ask()
  }

  async function fetchUpTo(through: number): Promise<void> {
    if (fetching !== undefined || through <= intake.seq()) return
    const controller = new AbortController()
    fetching = controller
    const cancelTimeout = platform.setTimer(silence, () => controller.abort())
    await fetchThrough(through, controller.signal)
    cancelTimeout()
    fetching = undefined
    // Entries that were passed on in the meantime came after a gap and were not taken.
    if (!controller.signal.aborted) askUnlessPending()
  }

  function handleStatus({ seq, connection, retryAt }: Extract<TabMessage, { type: 'status' }>): void {
    report({ connection, ...(retryAt !== undefined && { retryAt }) })
    if (seq > intake.seq()) askUnlessPending()
  }

  report({ connection: 'connecting' })
  ask()
  takeOverAfter(PATIENCE)

  return {
    receive(message) {
      if (message.type === 'ask' || message.type === 'wake') return
      takeOverAfter(silence)
      if (message.type === 'status') handleStatus(message)
      else if (message.type === 'run-status') intake.noteStatus(message.status)
      else if (message.type === 'fetch') fetchUpTo(message.through)
      else if (intake.take(message.entries) === 'gap') askUnlessPending()
    },
    wake() {
      post({ type: 'wake' })
      ask()
      takeOverAfter(PATIENCE)
    },
    leave() {
      cancelWait()
      fetching?.abort()
    },
  }
}
