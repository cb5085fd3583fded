import type { Api } from '@millrace/core/client'
import { useState } from 'react'
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

/** Imports recordings, one after the other, and opens the last one's thread. */
export function useImport({ api, router, threadList }: Services): Importing {
  const [current, setCurrent] = useState<Import>({ state: 'idle' })

  async function ingest(file: File, format: string): Promise<void> {
    const threadId = await ingestRecording(api, file, format)
    setCurrent({ state: 'idle' })
    router.go({ name: 'thread', threadId })
    void threadList.refresh()
  }

  async function read(file: File): Promise<void> {
    // Detection needs every parser: it is loaded with the first recording, not with the page.
    const { detectRecording, formatNames } = await import('./detect-recording.ts')
    const { format, reason } = await detectRecording(file)
    if (format !== undefined) await ingest(file, format)
    else setCurrent({ state: 'unsure', file, reason, formats: formatNames })
  }

  async function attempt(file: File, work: () => Promise<void>): Promise<void> {
    setCurrent({ state: 'reading', name: file.name })
    try {
      await work()
    } catch (error) {
      setCurrent({ state: 'failed', name: file.name, reason: troubleText(error) })
    }
  }

  return {
    current,
    async importFiles(files) {
      for (const file of files) await attempt(file, () => read(file))
    },
    importAs: (file, format) => void attempt(file, () => ingest(file, format)),
    dismiss: () => setCurrent({ state: 'idle' }),
  }
}

/** Sends a recording to the log, in a new thread that has the file's name. Resolves with the thread's id. */
async function ingestRecording(api: Api, file: File, format: string): Promise<string> {
  const { id } = await api.createThread({ title: file.name })
  await api.ingest({ format, threadId: id, body: file })
  return id
}
