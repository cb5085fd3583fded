import type { Api } from '@millrace/core/client'
import { useRef, useState } from 'react'
import type { Services } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

/** The state of an import. `unsure`: the user has to choose the format. */
export type Import =
  | { readonly state: 'idle' }
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'unsure'; readonly file: File; readonly reason: string; readonly formats: readonly string[] }
  | { readonly state: 'failed'; readonly name: string; readonly reason: string }

export interface Importing {
  readonly current: Import
  readonly importFiles: (files: readonly File[]) => void
  /** Imports a file in the format that the user has chosen. */
  readonly importAs: (file: File, format: string) => void
  readonly dismiss: () => void
}

const IDLE: Import = { state: 'idle' }

/**
 * Imports recordings, one after the other, and opens each one's thread. If one cannot be imported, the others wait until
 * that is dismissed or more are added: so no failure is hidden by the next file.
 */
export function useImport({ api, router, threadList }: Services): Importing {
  const [current, setCurrent] = useState<Import>(IDLE)
  const waiting = useRef<File[]>([])
  const isReading = useRef(false)

  async function ingest(file: File, format: string): Promise<Import> {
    const threadId = await ingestRecording(api, file, format)
    router.go({ name: 'thread', threadId })
    void threadList.refresh()
    return IDLE
  }

  async function read(file: File): Promise<Import> {
    // Detection needs every parser: it is loaded with the first recording, not with the page.
    const { detectRecording, formatNames } = await import('./detect-recording.ts')
    const { format, reason } = await detectRecording(file)
    return format === undefined ? { state: 'unsure', file, reason, formats: formatNames } : ingest(file, format)
  }

  async function attempt(file: File, work: () => Promise<Import>): Promise<void> {
    isReading.current = true
    setCurrent({ state: 'reading', name: file.name })
    const failed = (error: unknown): Import => ({ state: 'failed', name: file.name, reason: troubleText(error) })
    const after = await work().catch(failed)
    isReading.current = false
    setCurrent(after)
    if (after.state === 'idle') proceed()
  }

  function proceed(): void {
    const file = waiting.current.shift()
    if (file !== undefined) void attempt(file, () => read(file))
  }

  return {
    current,
    importFiles(files) {
      waiting.current.push(...files)
      if (!isReading.current) proceed()
    },
    importAs: (file, format) => void attempt(file, () => ingest(file, format)),
    dismiss() {
      setCurrent(IDLE)
      proceed()
    },
  }
}

/** Sends a recording to the log, in a new thread that has the file's name. Resolves with the thread's id. */
async function ingestRecording(api: Api, file: File, format: string): Promise<string> {
  const { id } = await api.createThread({ title: file.name })
  await api.ingest({ format, threadId: id, body: file })
  return id
}
