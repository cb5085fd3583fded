import type { RunInfo } from '@millrace/core/client'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useApp } from '../app-context.ts'
import { useCommands } from '../keys/keys-context.tsx'

/** Loaded with the first question. */
const DeleteDialog = lazy(async () => ({ default: (await import('../runs/thread-dialogs.tsx')).DeleteDialog }))

interface ThreadCommandsProps {
  readonly threadId: string
  readonly title: string
  readonly run: RunInfo | undefined
  /** Absent: nothing goes on that could be stopped. */
  readonly stop: (() => void) | undefined
  readonly fail: (error: unknown) => void
  /** What a key has done, in words. */
  readonly notice: string
}

/** What the palette and the keys do with the thread as a whole. */
export function ThreadCommands({ threadId, title, run, stop, fail, notice }: ThreadCommandsProps): ReactNode {
  const { api, router, threadList } = useApp()
  const [isDeleting, setIsDeleting] = useState(false)
  const thread = { id: threadId, title, ...(run !== undefined && { lastRun: run }) }

  async function exportThread(): Promise<void> {
    const { exportThreads } = await import('../runs/export-threads.ts')
    await exportThreads(api, [thread])
  }
  async function deleteThread(): Promise<void> {
    await api.deleteThread(threadId)
    // A step back must not lead to what is gone.
    router.go({ name: 'start' }, 'replace')
    await threadList.refresh()
  }
  useCommands({
    stop,
    export: () => void exportThread().catch(fail),
    delete: () => setIsDeleting(true),
  })
  return (
    <>
      <div className="thread-notice" role="status">
        {notice !== '' && <span>{notice}</span>}
      </div>
      {isDeleting && (
        <Suspense>
          <DeleteDialog
            threads={[thread]}
            onDelete={() => void deleteThread().catch(fail)}
            onClose={() => setIsDeleting(false)}
          />
        </Suspense>
      )}
    </>
  )
}
