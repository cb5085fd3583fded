import type { AgentCheck, Api } from '@millrace/core/client'
import { useEffect, useRef, useState } from 'react'
import { troubleText } from '../trouble.ts'

/** The outcome of a check that a person asked for. Nothing is checked by itself: a check may run a program. */
export type Checking =
  | { readonly state: 'idle' }
  | { readonly state: 'checking' }
  | ({ readonly state: 'checked' } & AgentCheck)
  | { readonly state: 'failed'; readonly reason: string }

export function useCheck(api: Api, name: string): { readonly checking: Checking; readonly check: () => void } {
  const [checking, setChecking] = useState<Checking>({ state: 'idle' })
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const show = (next: Checking) => {
    if (isMounted.current) setChecking(next)
  }
  const check = () => {
    if (checking.state === 'checking') return
    setChecking({ state: 'checking' })
    api.checkAgent(name).then(
      (answer) => show({ state: 'checked', ...answer }),
      (error) => show({ state: 'failed', reason: troubleText(error) }),
    )
  }
  return { checking, check }
}
