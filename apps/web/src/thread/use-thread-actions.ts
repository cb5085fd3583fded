import type { Answer, ThreadStore } from '@millrace/core/client'
import type { Draft } from '@millrace/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

export interface ThreadActions {
  /** Why the last action failed, until it is dismissed. */
  readonly trouble: string | undefined
  readonly dismiss: () => void
  readonly isStopping: boolean
  /** Starts a run with a message. `after`: the run that it continues, instead of the last one; `null`: none. */
  readonly send: (draft: Draft, after?: string | null) => Promise<void>
  /** How many messages were sent. */
  readonly sendCount: number
  /** Says that an action has failed. */
  readonly fail: (error: unknown) => void
  readonly stop: () => void
  /** Starts a run of this agent with a message that asks it to continue. */
  readonly continueRun: (agent: string) => void
  readonly answer: (approvalId: string, answer: Answer) => Promise<void>
  /** The title that was entered on this page, until the store has read it: then others may change it too. */
  readonly renamed: string | undefined
  readonly rename: (title: string) => void
}

/** The message with which the same agent begins again. */
const CONTINUE = 'Continue from here.'

/** What the user can do to a thread. Each function keeps its identity, so that nothing is drawn again because of it. */
export function useThreadActions(store: ThreadStore, threadId: string, agent: string, isBusy: boolean): ThreadActions {
  const { api, threadList } = useApp()
  const [trouble, setTrouble] = useState<string>()
  const [renamed, setRenamed] = useState<string>()
  const renames = useRef(0)
  const [sendCount, setSendCount] = useState(0)
  const [isStopping, setIsStopping] = useState(false)
  useEffect(() => {
    if (!isBusy) setIsStopping(false)
  }, [isBusy])
  const fail = useCallback((error: unknown) => setTrouble(troubleText(error)), [])
  const sendTo = useCallback(
    async (name: string, { text, files }: Draft, after?: string | null) => {
      setSendCount((before) => before + 1)
      const options = { agent: name, ...(after !== undefined && { after }) }
      await store.send(files.length === 0 ? text : { text, files }, options)
      await threadList.refresh()
    },
    [store, threadList],
  )
  const send = useCallback((draft: Draft, after?: string | null) => sendTo(agent, draft, after), [sendTo, agent])
  const continueRun = useCallback(
    (name: string) => void sendTo(name, { text: CONTINUE, files: [] }).catch(fail),
    [sendTo, fail],
  )
  const stop = useCallback(() => {
    setIsStopping(true)
    store.stop().catch((error) => {
      setIsStopping(false)
      fail(error)
    })
  }, [store, fail])
  const answer = useCallback(
    async (approvalId: string, chosenAnswer: Answer) => {
      try {
        await store.answer(approvalId, chosenAnswer)
      } catch (error) {
        fail(error)
        throw error
      }
    },
    [store, fail],
  )
  const rename = useCallback(
    (title: string) => {
      const round = ++renames.current
      setRenamed(title)
      const isStored = api.renameThread(threadId, title).then(() => Promise.all([threadList.refresh(), store.reload()]))
      // A newer title is not removed by the answer to an older one.
      const finish = () => renames.current === round && setRenamed(undefined)
      isStored.catch(fail).finally(finish)
    },
    [api, store, threadId, threadList, fail],
  )
  const dismiss = useCallback(() => setTrouble(undefined), [])
  return { trouble, dismiss, isStopping, fail, send, sendCount, stop, continueRun, answer, renamed, rename }
}
