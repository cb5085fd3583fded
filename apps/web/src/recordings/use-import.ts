import { useCallback, useRef, useState } from 'react'
import type { Services } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

/** A file that is imported. `unsure`: the user has to say its format, which keeps no other file waiting. */
export type ImportItem = {
  readonly id: number
  readonly name: string
} & (
  | { readonly state: 'waiting' }
  | { readonly state: 'sending'; readonly threadId: string }
  | { readonly state: 'done'; readonly threadId: string }
  | {
      readonly state: 'unsure'
      readonly reason: string
      readonly guess: string | undefined
      readonly formats: readonly string[]
    }
  | { readonly state: 'refused' | 'failed'; readonly reason: string }
)

type State = ImportItem extends infer Item ? (Item extends ImportItem ? Omit<Item, 'id' | 'name'> : never) : never

export interface Importing {
  readonly items: readonly ImportItem[]
  readonly importFiles: (files: readonly File[]) => void
  /** Imports a file in the format that the user has chosen. */
  readonly importAs: (id: number, format: string) => void
  readonly dismiss: (id: number) => void
}

/**
 * Imports recordings, one after the other. The first of those that are dropped together opens its thread at once, which fills while
 * the file is sent; the others are listed with their threads.
 */
export function useImport({ api, router, threadList }: Services): Importing {
  const [items, setItems] = useState<readonly ImportItem[]>([])
  const files = useRef(new Map<number, File>())
  const lastSend = useRef<Promise<void>>(Promise.resolve())
  const lastId = useRef(0)

  const dismiss = useCallback((id: number) => {
    files.current.delete(id)
    setItems((all) => all.filter((item) => item.id !== id))
  }, [])

  const set = useCallback((id: number, state: State) => {
    setItems((all) => all.map((item) => (item.id === id ? ({ id, name: item.name, ...state } as ImportItem) : item)))
  }, [])

  /** Sends a file when the ones before it are sent. */
  const send = useCallback(
    (id: number, format: string, opens: boolean, isAlone: boolean): void => {
      const file = files.current.get(id)
      if (file === undefined) return
      const work = async () => {
        const { id: threadId } = await api.createThread()
        set(id, { state: 'sending', threadId })
        if (opens) router.go({ name: 'thread', threadId })
        await api.ingest({ format, threadId, file: file.name, body: file })
        void threadList.refresh()
        if (isAlone) dismiss(id)
        else set(id, { state: 'done', threadId })
      }
      const attempt = () => work().catch((error) => set(id, { state: 'failed', reason: troubleText(error) }))
      lastSend.current = lastSend.current.then(attempt)
    },
    [api, router, threadList, set, dismiss],
  )

  const importFiles = useCallback(
    (added: readonly File[]) => {
      const entries = added.map((file) => ({ id: ++lastId.current, file }))
      for (const { id, file } of entries) files.current.set(id, file)
      const waiting = entries.map(({ id, file }) => ({ id, name: file.name, state: 'waiting' as const }))
      // What is over and was seen makes room for the next.
      setItems((all) => [...all.filter(({ state }) => state !== 'done'), ...waiting])
      let opens = true
      const examineAll = async () => {
        for (const { id, file } of entries) {
          const found = await examine(file)
          if (found.state !== 'recognised') set(id, found)
          else {
            send(id, found.format, opens, entries.length === 1)
            opens = false
          }
        }
      }
      void examineAll()
    },
    [set, send],
  )

  const importAs = useCallback(
    (id: number, format: string) => {
      set(id, { state: 'waiting' })
      send(id, format, true, true)
    },
    [set, send],
  )

  return { items, importFiles, importAs, dismiss }
}

/** Detection needs every parser: it is loaded with the first recording, not with the page. */
async function examine(file: File) {
  try {
    const { examineRecording } = await import('./detect-recording.ts')
    return await examineRecording(file)
  } catch (error) {
    return { state: 'failed', reason: troubleText(error) } as const
  }
}
