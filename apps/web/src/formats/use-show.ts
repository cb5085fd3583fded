import type { FormatsShow } from '@millrace/core/api'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useApp } from '../app-context.ts'
import { troubleText } from '../trouble.ts'

const ROUND_MS = 400

type ShowAction = 'kill' | 'restart'

export interface ShowControls {
  /** Undefined until the second server has started. */
  readonly show: FormatsShow | undefined
  readonly trouble: string | undefined
  /** What was asked for and has not happened. */
  readonly pending: ShowAction | 'begin' | undefined
  readonly act: (action: ShowAction) => void
  readonly begin: () => void
  readonly setSpeed: (speed: number) => void
}

/** Begins the show when the page is opened, follows it, and ends it when the page is left. */
export function useShow(): ShowControls {
  const { basePath } = useApp()
  const [show, setShow] = useState<FormatsShow>()
  const [trouble, setTrouble] = useState<string>()
  // The button shows at once what was asked for; the answer comes later.
  const [speed, setAskedSpeed] = useState<number>()
  const [pending, setPending] = useState<ShowControls['pending']>('begin')
  const request = useCallback(
    async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${basePath}/api/show${path}`, {
        method,
        ...(method !== 'GET' && { body: JSON.stringify(body ?? {}), headers: { 'content-type': 'application/json' } }),
      })
      const value = answer.status === 204 ? undefined : await answer.json()
      if (!answer.ok) throw new Error(value?.error?.message ?? `The server answers ${answer.status}.`)
      return value as FormatsShow
    },
    [basePath],
  )
  const ask = useCallback(
    async (method: string, path: string, body?: object): Promise<void> => {
      try {
        setShow(await request(method, path, body))
        setTrouble(undefined)
      } catch (error) {
        setTrouble(troubleText(error))
      }
    },
    [request],
  )
  const begin = useCallback(() => {
    setPending('begin')
    setAskedSpeed(undefined)
    void ask('POST', '').then(() => setPending(undefined))
  }, [ask])
  useEffect(() => {
    begin()
    return () => void request('DELETE', '').catch(() => undefined)
  }, [begin, request])
  const hasBegun = show !== undefined
  useEffect(() => {
    if (!hasBegun) return
    const timer = setInterval(() => void ask('GET', ''), ROUND_MS)
    return () => clearInterval(timer)
  }, [hasBegun, ask])
  const act = useCallback(
    (action: ShowAction) => {
      setPending(action)
      void ask('POST', `/${action}`).then(() => setPending(undefined))
    },
    [ask],
  )
  const setSpeed = useCallback(
    (next: number) => {
      setAskedSpeed(next)
      void ask('POST', '/speed', { speed: next })
    },
    [ask],
  )
  const shown = useMemo(() => show && { ...show, speed: speed ?? show.speed }, [show, speed])
  return { show: shown, trouble, pending, act, begin, setSpeed }
}
