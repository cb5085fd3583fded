import { useState } from 'react'
import type { Services } from '../app-context.ts'
import { troubleText } from '../trouble.ts'
import { ingestRecording } from './ingest-recording.ts'

/** How far an import is. `unsure`: the person has to name the format. */
export type Import =
  | { readonly state: 'idle' }
  | { readonly state: 'reading'; readonly name: string }
  | { readonly state: 'unsure'; readonly file: File; readonly reason: string; readonly formats: readonly string[] }
  | { readonly state: 'failed'; readonly name: string; readonly reason: string }

export interface Importing {
  readonly current: Import
  readonly importFiles: (files: readonly File[]) => void
  /** The person has named the format of the file that nobody knew. */
  readonly importAs: (file: File, format: string) => void
  readonly dismiss: () => void
}

/** Takes recordings in, one after the other, and goes to the last one's thread. */
export function useImport({ api, router, threadList }: Services): Importing {
  const [current, setCurrent] = useState<Import>({ state: 'idle' })

  async function ingest(file: File, format: string): Promise<void> {
    const threadId = await ingestRecording(api, file, format)
    setCurrent({ state: 'idle' })
    router.go({ name: 'thread', threadId })
    void threadList.refresh()
  }

  async function read(file: File): Promise<void> {
    // Detection needs every parser: it is fetched when the first recording comes, not with the page.
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
