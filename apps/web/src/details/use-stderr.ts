import { type Api, ApiError } from '@millrace/core/client'
import { useEffect, useState } from 'react'
import { troubleText } from '../trouble.ts'

/** `none`: nothing was printed, or it is no longer kept. */
export type Stderr =
  | { readonly state: 'reading' | 'none' }
  | { readonly state: 'read'; readonly text: string }
  | { readonly state: 'failed'; readonly reason: string }

/** What the program of a run has printed beside its stream; without a run there is none. */
export function useStderr(api: Api, runId: string | undefined): Stderr {
  const [stderr, setStderr] = useState<Stderr>({ state: runId === undefined ? 'none' : 'reading' })
  useEffect(() => {
    if (runId === undefined) return
    let isCurrent = true
    api.stderr(runId).then(
      (text) => isCurrent && setStderr(text.trim() === '' ? { state: 'none' } : { state: 'read', text }),
      (error) => isCurrent && setStderr(failed(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [api, runId])
  return stderr
}

const failed = (error: unknown): Stderr =>
  error instanceof ApiError && error.status === 404
    ? { state: 'none' }
    : { state: 'failed', reason: troubleText(error) }
