import type { Answer, ThreadStore } from '@millrace/core/client'
import { useCallback, useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

export interface ThreadActions {
  /** Why the last action did not work, until it is dismissed. */
  readonly trouble: string | undefined
  readonly dismiss: () => void
  readonly isStopping: boolean
  readonly send: (text: string) => Promise<void>
  /** How many messages were sent. */
  readonly sends: number
  readonly stop: () => void
  /** Sends what asks an agent to go on. */
  readonly goOn: () => void
  readonly answer: (approvalId: string, answer: Answer) => Promise<void>
  /** The title that was given here, until the server has it. */
  readonly renamed: string | undefined
  readonly rename: (title: string) => void
}

/** What a person can do to a thread. Each keeps its identity, so that nothing is drawn again for it. */
export function useThreadActions(store: ThreadStore, threadId: string, agent: string, isBusy: boolean): ThreadActions {
  const { api, threadList } = useApp()
  const [trouble, setTrouble] = useState<string>()
  const [renamed, setRenamed] = useState<string>()
  const [sends, setSends] = useState(0)
  const [isStopping, setIsStopping] = useState(false)
  useEffect(() => {
    if (!isBusy) setIsStopping(false)
  }, [isBusy])
  const fail = useCallback((error: unknown) => setTrouble(troubleText(error)), [])
  const send = useCallback(
    async (text: string) => {
      setSends((before) => before + 1)
      await store.send(text, { agent })
      await threadList.refresh()
    },
    [store, agent, threadList],
  )
  const goOn = useCallback(() => void send('Continue from here.').catch(fail), [send, fail])
  const stop = useCallback(() => {
    setIsStopping(true)
    store.stop().catch((error) => {
      setIsStopping(false)
      fail(error)
    })
  }, [store, fail])
  const answer = useCallback(
    async (approvalId: string, given: Answer) => {
      try {
        await store.answer(approvalId, given)
      } catch (error) {
        fail(error)
        throw error
      }
    },
    [store, fail],
  )
  const rename = useCallback(
    (title: string) => {
      setRenamed(title)
      api.renameThread(threadId, title).then(threadList.refresh, (error) => {
        setRenamed(undefined)
        fail(error)
      })
    },
    [api, threadId, threadList, fail],
  )
  const dismiss = useCallback(() => setTrouble(undefined), [])
  return { trouble, dismiss, isStopping, send, sends, stop, goOn, answer, renamed, rename }
}
