import type { AgentInfo, Api } from '@millrace/core/client'
import { useEffect, useState } from 'react'

const AGAIN_MS = 3_000

/** The agents that can run. Asked for until there is an answer. */
export function useAgents(api: Api): readonly AgentInfo[] | undefined {
  const [agents, setAgents] = useState<readonly AgentInfo[]>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      api.agents().then(setAgents, () => {
        timer = setTimeout(ask, AGAIN_MS)
      })
    }
    ask()
    return () => clearTimeout(timer)
  }, [api])
  return agents
}
