import type { Api, RunInfo, RunView } from '@millrace/core/client'
import type { RunSnapshot } from '@millrace/core/fold/shapes'
import { useEffect, useState } from 'react'

export type Verification =
  | { readonly state: 'checking' }
  | { readonly state: 'unknown' }
  | { readonly state: 'same'; readonly hash: string }
  | { readonly state: 'differs'; readonly reason: string }

const CHECKING: Verification = { state: 'checking' }

/**
 * Whether an ended run is what its log says. The server compares what it has logged, folded and delivered; what was
 * folded on this page while it streamed is compared with that.
 */
export function useVerification(
  api: Api,
  run: RunInfo | undefined,
  streamed: RunView | undefined,
): Verification | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly verification: Verification }>()
  const folded = streamed?.connection === 'ended' ? streamed.run : undefined
  const key = run?.state === 'ended' ? `${run.id} ${run.seq} ${folded === undefined}` : undefined
  const runId = run?.id
  useEffect(() => {
    if (key === undefined || runId === undefined) return
    let isCurrent = true
    verify(api, runId, folded)
      .catch((): Verification => ({ state: 'unknown' }))
      .then((verification) => isCurrent && setFound({ key, verification }))
    return () => {
      isCurrent = false
    }
  }, [api, key, runId, folded])
  if (key === undefined) return undefined
  return found?.key === key ? found.verification : CHECKING
}

async function verify(api: Api, runId: string, folded: RunSnapshot | undefined): Promise<Verification> {
  const { ok, foldHash, problems } = await api.verify(runId)
  const [problem = 'the server did not say where.'] = Array.isArray(problems) ? problems : []
  if (ok !== true) return { state: 'differs', reason: String(problem) }
  const hash = String(foldHash ?? '')
  const here = folded === undefined ? hash : await hashOf(folded)
  return here === hash ? { state: 'same', hash } : { state: 'differs', reason: 'This page folded something else.' }
}

/** As the server hashes a fold. */
async function hashOf(snapshot: RunSnapshot): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(snapshot)))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
