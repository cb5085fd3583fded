import type { FormatsColumn } from '@millrace/core/api'
import { useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import type { ColumnSnapshot } from './column-store.ts'

interface StoredBadgeProps {
  readonly columns: readonly FormatsColumn[]
  readonly viewers: readonly ColumnSnapshot[]
}

/** Once all runs have ended: whether what this page has folded of each is what the log of the second server gives. */
export function StoredBadge({ columns, viewers }: StoredBadgeProps) {
  const { basePath } = useApp()
  const [equal, setEqual] = useState<{ readonly of: string; readonly count: number }>()
  const isOver = viewers.length > 0 && viewers.every(({ connection }) => connection === 'ended')
  const runs = columns.map(({ runId }) => runId).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has ended changes no more
  useEffect(() => {
    if (!isOver) return
    const isSame = async ({ run }: ColumnSnapshot) => {
      const answer = await fetch(`${basePath}/api/show/runs/${run.runId}/verify`)
      const { ok, foldHash } = (await answer.json()) as { readonly ok?: boolean; readonly foldHash?: string }
      return ok === true && foldHash === (await hashOf(JSON.stringify(run)))
    }
    Promise.all(viewers.map(isSame)).then(
      (same) => setEqual({ of: runs, count: same.filter((each) => each).length }),
      // The second server is down, or the browser has no hashes: nothing was compared.
      () => setEqual(undefined),
    )
  }, [isOver, runs, basePath])
  if (!isOver || equal?.of !== runs) return undefined
  const isAll = equal.count === viewers.length
  return (
    <span className={`mr-badge badge chip ${isAll ? 'chip-same' : 'chip-differs'}`}>
      <Icon name={isAll ? 'shield' : 'warning'} />
      {isAll ? 'Live = stored, all five' : `Live = stored, only ${equal.count} of five`}
    </span>
  )
}

export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
