import type { ApiError, RunInfo, RunStoreSnapshot, ThreadStoreSnapshot } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { useRef } from 'react'
import { useApp } from '../app-context.ts'
import { runningTool } from '../threads/thread-activity.ts'
import type { ThreadStatus } from '../threads/thread-status.ts'
import { seqText } from '../words/numbers.ts'
import { useNow } from '../words/time.ts'
import { isCutOff, type Liveness, livenessOf } from './liveness.ts'
import { PlainStatus } from './plain-status.tsx'
import { useVerification } from './use-verification.ts'
import { VerifyButton } from './verify-button.tsx'

interface StatusBarProps {
  readonly state: ThreadStatus
  readonly phase: ThreadStoreSnapshot['state']
  readonly run: RunInfo | undefined
  readonly newest: RunStoreSnapshot | undefined
  readonly chatEvents: readonly ChatEvent[]
  readonly error: ApiError | undefined
}

const SECOND = 1_000

/** Position, durability and proof of the thread's newest run. */
export function StatusBar(props: StatusBarProps) {
  const { run, newest } = props
  const { api } = useApp()
  const { text, tone } = useLiveness(props)
  const verifying = useVerification(api, run, newest)
  const here = newest?.seq ?? run?.seq ?? 0
  const durable = isCutOff(newest?.connection) ? undefined : Math.max(run?.seq ?? 0, here)
  return (
    <PlainStatus text={text} tone={tone} end={verifying !== undefined && <VerifyButton key={run?.id} {...verifying} />}>
      {here > 0 && (
        <>
          <span className="fact wide">
            {durable === undefined ? 'log unreachable' : 'log durable to'}
            {durable !== undefined && <code>{seqText(durable)}</code>}
          </span>
          <span className="fact wide">
            you are at <code>{seqText(here)}</code>
          </span>
          <span className="fact short">
            <code>
              {seqText(here)}/{durable?.toLocaleString('en') ?? '?'}
            </code>
          </span>
        </>
      )}
    </PlainStatus>
  )
}

function useLiveness({ state, phase, run, newest, chatEvents, error }: StatusBarProps): Liveness {
  const now = useNow(SECOND)
  const lastEntry = useRef({ seq: newest?.seq, at: now })
  if (lastEntry.current.seq !== newest?.seq) lastEntry.current = { seq: newest?.seq, at: now }
  if (phase === 'sending') return { text: 'Sending…', tone: 'quiet' }
  if (phase === 'loading' || phase === 'idle') return { text: 'Reading the log…', tone: 'quiet' }
  if (error !== undefined) return { text: 'The server does not answer', tone: 'bad' }
  return livenessOf({
    state,
    connection: newest?.connection,
    retryInMs: (newest?.retryAt ?? now) - now,
    silentMs: now - lastEntry.current.at,
    waitMs: run?.waitUntil === undefined ? undefined : run.waitUntil - now,
    isToolRunning: runningTool(chatEvents) !== undefined,
    endedAt: run?.endedAt ?? 0,
    now,
  })
}
