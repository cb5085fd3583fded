import { useState } from 'react'
import { useCommands } from '../keys/keys-context.tsx'

const KEY = 'millrace-thoughts'

/** Whether thoughts are hidden in this browser, in every thread. A command shows and hides them. */
export function useHiddenThoughts(): boolean {
  const [isHidden, setIsHidden] = useState(stored)
  useCommands({
    thoughts: () => {
      setIsHidden(!isHidden)
      store(!isHidden)
    },
  })
  return isHidden
}

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'hidden'
  } catch {
    return false
  }
}

function store(isHidden: boolean): void {
  try {
    if (isHidden) localStorage.setItem(KEY, 'hidden')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
