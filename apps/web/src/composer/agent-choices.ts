import { useState } from 'react'

const KEY = 'millrace-agents'
/** How many threads are remembered: the ones with the latest choices. */
const MOST_THREADS = 100

type Choices = readonly (readonly [threadId: string, agent: string])[]

/** The agents that were chosen in this browser, by thread. Nothing if storage is forbidden or holds something else. */
function storedChoices(): Choices {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isChoice) : []
  } catch {
    return []
  }
}

const isChoice = (value: unknown): value is Choices[number] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')

function storeChoice(threadId: string, agent: string): void {
  const others = storedChoices().filter(([id]) => id !== threadId)
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, [threadId, agent]].slice(-MOST_THREADS)))
  } catch {
    // Without storage, the choice lasts as long as the page of the thread.
  }
}

/** The agent that was chosen for a thread in this browser, and the function that chooses. */
export function useAgentChoice(threadId: string): readonly [string | undefined, (agent: string) => void] {
  const [chosen, setChosen] = useState(() => storedChoices().find(([id]) => id === threadId)?.[1])
  const choose = (agent: string) => {
    setChosen(agent)
    storeChoice(threadId, agent)
  }
  return [chosen, choose]
}
