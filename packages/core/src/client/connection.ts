import type { Feed, FeedStatus, RecordIntake } from './feed.ts'
import type { Credentials, Platform, Wake } from './platform.ts'
import { backoff, LONGEST_WAIT } from './retrying.ts'
import { openStream, type StreamEnd } from './stream.ts'

export interface ConnectionOptions extends Credentials {
  readonly url: string
  readonly platform: Platform
  /** The interval of the server's heartbeats, in ms. */
  readonly heartbeat: number
}

/** The interval of the server's heartbeats, in ms, if the caller does not say otherwise. */
export const HEARTBEAT = 15_000

/** After this many heartbeats without a byte the connection counts as dead. */
export const SILENT_HEARTBEATS = 2.5

/** A page that comes back trusts a connection only if bytes arrived within this time, in ms. */
const TRUSTED_SILENCE = 5_000

/** Follows a stream of the server, with one request at a time. */
export function createConnection(
  { url, token, platform, heartbeat }: ConnectionOptions,
  intake: RecordIntake,
  report: (status: FeedStatus) => void,
  onBytes: () => void = () => {},
): Feed {
  const deadAfter = SILENT_HEARTBEATS * heartbeat
  let isStarted = false
  /** The current request. The outcome of a request that was given up is ignored. */
  let current: AbortController | undefined
  let failures = 0
  let openedAt = 0
  let receivedAt = 0
  let cancelRetry = () => {}
  let cancelWatch = () => {}
  let stopWakes = () => {}

  function connect(): void {
    giveUp()
    const controller = new AbortController()
    const positionBefore = intake.position()
    current = controller
    openedAt = platform.now()
    noteReceived()
    watch()
    report({ connection: 'connecting' })
    const request = {
      url,
      fetch: platform.fetch,
      intake,
      signal: controller.signal,
      ...(token !== undefined && { token }),
    }
    const onOpen = () => {
      noteReceived()
      if (current === controller) report({ connection: 'live' })
    }
    const onReceived = () => {
      noteReceived()
      onBytes()
    }
    openStream({ ...request, onOpen, onBytes: onReceived }).then((end) => {
      if (current === controller) finish(end, intake.position() > positionBefore)
    })
  }

  function giveUp(): void {
    cancelRetry()
    cancelWatch()
    current?.abort()
    current = undefined
  }

  function noteReceived(): void {
    receivedAt = platform.now()
  }

  /** One timer at a time: it is set again when it fires too early, not at every byte. */
  function watch(): void {
    cancelWatch = platform.setTimer(Math.max(1, receivedAt + deadAfter - platform.now()), () => {
      if (platform.now() - receivedAt < deadAfter) watch()
      else connect()
    })
  }

  function finish(end: StreamEnd, hasProgressed: boolean): void {
    if (end.kind === 'cut') retry(end, hasProgressed)
    else {
      stop()
      report(end.kind === 'refused' ? { connection: 'failed', error: end.error } : { connection: 'ended' })
    }
  }

  function retry({ error }: Extract<StreamEnd, { kind: 'cut' | 'refused' }>, hasProgressed: boolean): void {
    giveUp()
    const now = platform.now()
    failures = hasProgressed || now - openedAt >= LONGEST_WAIT ? 1 : failures + 1
    if (failures === 1) {
      connect()
      return
    }
    const wait = backoff(failures - 1, platform.random)
    report({ connection: platform.isOnline() ? 'waiting' : 'offline', retryAt: now + wait, error })
    cancelRetry = platform.setTimer(wait, connect)
  }

  function wake(reason: Wake): void {
    const isTrusted = current !== undefined && platform.now() - receivedAt < TRUSTED_SILENCE
    if (reason === 'online' || !isTrusted) connect()
  }

  function stop(): void {
    isStarted = false
    stopWakes()
    giveUp()
  }

  return {
    start() {
      if (isStarted) return
      isStarted = true
      failures = 0
      stopWakes = platform.onWake(wake)
      connect()
    },
    stop,
    retryNow() {
      if (isStarted && current === undefined) connect()
    },
  }
}
