import type { AgentInfo, Api } from '@millrace/core/client'
import { useCallback, useEffect, useState } from 'react'

const AGAIN_MS = 3_000

export interface Agents {
  /** Undefined until the server has answered. */
  readonly agents: readonly AgentInfo[] | undefined
  /** Asks again; what is shown stays until the answer comes. */
  readonly reloadAgents: () => void
}

/** The agents of the server. Requested until the server answers or the user has signed out. */
export function useAgents(api: Api, isSignedOut: boolean): Agents {
  const [agents, setAgents] = useState<readonly AgentInfo[]>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (isSignedOut) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      api.agents().then(
        (found) => !isOver && setAgents(found),
        () => {
          if (!isOver) timer = setTimeout(ask, AGAIN_MS)
        },
      )
    }
    ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [api, isSignedOut, round])
  const reloadAgents = useCallback(() => setRound((before) => before + 1), [])
  return { agents, reloadAgents }
}
