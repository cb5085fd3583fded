import type { Api, RunInfo, RunStoreSnapshot } from '@millrace/core/client'
import type { RunSnapshot } from '@millrace/core/fold'
import { useCallback, useEffect, useRef, useState } from 'react'
import { troubleText } from '../trouble.ts'

export type Verification =
  | { readonly state: 'unchecked' }
  | { readonly state: 'checking' }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'same'; readonly hash: string; readonly compared: Compared }
  | { readonly state: 'differs'; readonly reason: string; readonly compared: Compared }

/** What a comparison includes. The log and what is delivered from it are always included. */
export interface Compared {
  /** This page streamed the run, and its fold was compared. */
  readonly page: boolean
  /** The raw records were parsed again; false if another version of the parser had read them. */
  readonly records: boolean
}

export interface Verifying {
  readonly verification: Verification
  readonly verify: () => void
}

const UNCHECKED: Verification = { state: 'unchecked' }

/** Checks on demand whether an ended run equals its log. Undefined until the run has ended. */
export function useVerification(
  api: Api,
  run: RunInfo | undefined,
  streamed: RunStoreSnapshot | undefined,
): Verifying | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly verification: Verification }>()
  const folded = streamed?.connection === 'ended' ? streamed.run : undefined
  const key = run?.state === 'ended' ? `${run.id} ${run.seq}` : undefined
  const current = useRef(key)
  useEffect(() => {
    current.current = key
    return () => {
      current.current = undefined
    }
  }, [key])
  const runId = run?.id
  const verify = useCallback(() => {
    if (key === undefined || runId === undefined) return
    setFound({ key, verification: { state: 'checking' } })
    compare(api, runId, folded)
      .catch((error): Verification => ({ state: 'unknown', reason: troubleText(error) }))
      .then((verification) => current.current === key && setFound({ key, verification }))
  }, [api, key, runId, folded])
  if (key === undefined) return undefined
  return { verification: found?.key === key ? found.verification : UNCHECKED, verify }
}

async function compare(api: Api, runId: string, folded: RunSnapshot | undefined): Promise<Verification> {
  const { ok, foldHash, problems, reread, isComplete } = await api.verify(runId)
  const compared = { page: folded !== undefined, records: reread !== 'read-by-other-version' }
  const [problem = 'The server named no difference.'] = Array.isArray(problems) ? problems : []
  // A run that is too large to be compared as a whole does not differ.
  if (isComplete === false) return { state: 'unknown', reason: String(problem) }
  if (ok !== true) return { state: 'differs', reason: String(problem), compared }
  const hash = String(foldHash ?? '')
  if (folded === undefined || (await hashOf(folded)) === hash) return { state: 'same', hash, compared }
  return { state: 'differs', reason: 'The result that this page streamed differs from the log.', compared }
}

/** The hash of a fold, computed as the server does. */
async function hashOf(snapshot: RunSnapshot): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(snapshot)))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
