import type { FoundText, ListedThread } from '@millrace/core/client'
import { SEARCH_KINDS, type SearchKind } from '@millrace/core/fold'
import { useCallback, useEffect, useState } from 'react'
import { useApp } from '../../app-context.ts'

export interface Found {
  readonly hits: readonly FoundText[]
  readonly threads: readonly ListedThread[]
  readonly counts: { readonly [Kind in SearchKind]: number }
  readonly next: string | undefined
  /** How long the server took, with the way to it. */
  readonly tookMs: number
}

export interface Search {
  /** Undefined until the first search is answered; meanwhile that of the search before. */
  readonly found: Found | undefined
  readonly isSearching: boolean
  readonly error: unknown
  readonly more: () => void
}

const LIMIT = 60

export const NO_COUNTS = Object.fromEntries(SEARCH_KINDS.map((kind) => [kind, 0])) as Found['counts']

export function useSearch(text: string, kind: SearchKind | undefined): Search {
  const { api } = useApp()
  const [state, setState] = useState<Pick<Search, 'found' | 'error'> & { readonly of?: string }>({
    found: undefined,
    error: undefined,
  })
  const [page, setPage] = useState<{ readonly of: string; readonly after: string }>()
  const key = `${kind ?? ''} ${text}`
  useEffect(() => {
    let isLeft = false
    const startedAt = performance.now()
    const after = page?.of === key ? page.after : undefined
    const query = {
      text,
      limit: LIMIT,
      ...(kind !== undefined && { kinds: [kind] }),
      ...(after !== undefined && { after }),
    }
    api.search(query).then(
      ({ hits, threads, counts, next }) => {
        if (isLeft) return
        const tookMs = Math.round(performance.now() - startedAt)
        setState(({ found: before }) => {
          const earlier = after === undefined ? undefined : before
          const all = { hits: [...(earlier?.hits ?? []), ...hits], threads: [...(earlier?.threads ?? []), ...threads] }
          return { of: key, error: undefined, found: { ...all, counts, next, tookMs: earlier?.tookMs ?? tookMs } }
        })
      },
      (error: unknown) => !isLeft && setState(({ found }) => ({ of: key, found, error })),
    )
    return () => {
      isLeft = true
    }
  }, [api, text, kind, key, page])
  const next = state.of === key ? state.found?.next : undefined
  const more = useCallback(() => {
    if (next !== undefined) setPage({ of: key, after: next })
  }, [next, key])
  return { found: state.found, isSearching: state.of !== key, error: state.error, more }
}
