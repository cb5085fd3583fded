import { useCallback, useEffect, useState } from 'react'

/** The document's title: what has happened, what is shown, and whose page it is. Returns how a page names itself. */
export function usePageTitle(mark: string | undefined): (title: string | undefined) => void {
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    document.title = [mark, title, 'Millrace'].filter((part) => part !== undefined).join(' · ')
  }, [mark, title])
  useEffect(
    () => () => {
      document.title = 'Millrace'
    },
    [],
  )
  return useCallback((next) => setTitle(next), [])
}
