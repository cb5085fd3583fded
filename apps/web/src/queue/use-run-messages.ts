import {
  ApiError,
  newMessageId,
  type RunInfo,
  type RunMessage,
  type RunStoreSnapshot,
  sendMessage,
} from '@millrace/core/client'
import type { Delivery, Draft } from '@millrace/react'
import { useCallback, useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { type PendingMessage, pendingMessages } from './pending-messages.ts'

export interface RunMessages {
  /** The messages to the run that nobody has taken, in the order in which they were sent. */
  readonly pending: readonly PendingMessage[]
  /** Rejects if the run does not accept the message. */
  readonly send: (runId: string, draft: Draft, delivery: Exclude<Delivery, 'run'>) => Promise<void>
  readonly takeBack: (runId: string, messageId: string) => Promise<void>
}

const AGAIN_MS = 3_000

interface Listed {
  readonly runId: string
  readonly messages: readonly RunMessage[]
}

/**
 * What persons have said to the thread's newest run. Its entries say which messages there are, in every tab and after a
 * reload; the server has their texts.
 */
export function useRunMessages(run: RunInfo | undefined, newest: RunStoreSnapshot | undefined): RunMessages {
  const { api } = useApp()
  const [listed, setListed] = useState<Listed>()
  const [sent, setSent] = useState<readonly PendingMessage[]>([])
  const notes = newest?.messages
  const runId = run?.id
  const isWanted = notes !== undefined || mayHaveDropped(run, newest)

  useEffect(() => {
    if (runId === undefined || !isWanted) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      api.messages(runId).then(
        (messages) => !isOver && setListed({ runId, messages }),
        (error) => {
          // A run that is gone stays gone.
          if (!isOver && !(error instanceof ApiError && error.status === 404)) timer = setTimeout(ask, AGAIN_MS)
        },
      )
    }
    ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [api, runId, notes, isWanted])

  const send = useCallback(
    async (to: string, { text, files }: Draft, when: 'now' | 'next') => {
      const messageId = newMessageId()
      const message = { messageId, text, ...(files.length > 0 && { files }) }
      setSent((before) => [...before, { ...message, runId: to, delivered: when, state: 'sending' }])
      try {
        const { delivered } = await sendMessage(api, to, { ...message, when })
        const stored = { delivered, state: 'waiting' } as const
        setSent((before) => before.map((each) => (each.messageId === messageId ? { ...each, ...stored } : each)))
      } catch (error) {
        setSent((before) => before.filter((each) => each.messageId !== messageId))
        throw error
      }
    },
    [api],
  )
  const takeBack = useCallback((from: string, messageId: string) => api.takeBack(from, messageId), [api])

  const stored = listed !== undefined && listed.runId === runId ? listed.messages : []
  return { pending: runId === undefined ? [] : pendingMessages({ runId, stored, notes, sent }), send, takeBack }
}

/** A run that ended before this page was opened is not streamed: only the server knows whether it dropped a message. */
function mayHaveDropped(run: RunInfo | undefined, newest: RunStoreSnapshot | undefined): boolean {
  if (run === undefined || newest !== undefined || run.agent === undefined) return false
  return run.state === 'ended' && run.outcome !== 'success'
}
