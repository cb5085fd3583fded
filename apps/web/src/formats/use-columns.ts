import type { FormatsColumn } from '@millrace/core/api'
import { type Store, useStore } from '@millrace/react'
import { useEffect, useMemo, useState } from 'react'
import { useApp } from '../app-context.ts'
import { type ColumnSnapshot, type ColumnStore, createColumnStore } from './column-store.ts'
import { hashOf } from './stored-badge.tsx'

/** The viewers of the five runs, connected while the page is open. */
export function useColumnStores(columns: readonly FormatsColumn[], isUp: boolean): readonly ColumnStore[] {
  const { basePath } = useApp()
  const ids = columns.map(({ runId }) => runId).join(' ')
  const stores = useMemo(() => {
    const server = `${location.origin.replace(/^http/, 'ws')}${basePath}`
    const runIds = ids === '' ? [] : ids.split(' ')
    return runIds.map((id) => createColumnStore(id, (after) => `${server}/api/show/runs/${id}/ws?after=${after}`))
  }, [ids, basePath])
  useEffect(() => {
    for (const store of stores) store.start()
    return () => {
      for (const store of stores) store.stop()
    }
  }, [stores])
  useEffect(() => {
    for (const store of stores) store.setServer(isUp)
  }, [stores, isUp])
  return stores
}

/** What all viewers hold now. */
export const useColumns = (stores: readonly ColumnStore[]): readonly ColumnSnapshot[] =>
  useStore(useMemo(() => joined(stores), [stores]))

/** The snapshots of several stores as one, which stays the same array until one of them changes. */
function joined(stores: readonly ColumnStore[]): Store<readonly ColumnSnapshot[]> {
  let last: readonly ColumnSnapshot[] = stores.map((store) => store.snapshot())
  return {
    snapshot() {
      const now = stores.map((store) => store.snapshot())
      if (now.some((each, index) => each !== last[index])) last = now
      return last
    },
    subscribe(listener) {
      const leaves = stores.map((store) => store.subscribe(listener))
      return () => {
        for (const leave of leaves) leave()
      }
    },
  }
}

/** The lines of the recordings that the five programs send. */
export function useRecordings(columns: readonly FormatsColumn[]): ReadonlyMap<string, readonly string[]> {
  const { basePath } = useApp()
  const [recordings, setRecordings] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  const formats = columns.map(({ format }) => format).join(' ')
  useEffect(() => {
    let isWanted = true
    const read = async (format: string) => {
      const answer = await fetch(`${basePath}/recordings/scenario/${format}.jsonl`)
      const lines = (await answer.text()).split('\n').filter((line) => line !== '')
      if (isWanted && answer.ok) setRecordings((all) => new Map(all).set(format, lines))
    }
    // Without its recording a column shows no raw lines; all else is there.
    for (const format of formats.split(' ').filter((name) => name !== '')) read(format).catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [formats, basePath])
  return recordings
}

/** SHA-256 of a text, in hexadecimal. Undefined until it is known, and where the browser has no such function. */
export function useHash(text: string): string | undefined {
  const [found, setFound] = useState<{ readonly text: string; readonly hash: string }>()
  useEffect(() => {
    let isWanted = true
    hashOf(text).then(
      (hash) => isWanted && setFound({ text, hash }),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [text])
  return found?.text === text ? found.hash : undefined
}
