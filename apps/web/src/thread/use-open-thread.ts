import type { ThreadStore } from '@millrace/core/client'
import { useEffect, useMemo } from 'react'
import { useApp } from '../app-context.ts'

/** The store of a thread, connected for as long as the component is there. */
export function useOpenThread(threadId: string): ThreadStore {
  const { openThreads } = useApp()
  const store = useMemo(() => openThreads.open(threadId), [openThreads, threadId])
  useEffect(() => {
    store.start()
    return () => store.close()
  }, [store])
  return store
}
