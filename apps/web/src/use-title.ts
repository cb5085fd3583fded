import { useEffect } from 'react'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Millrace`
    return () => {
      document.title = 'Millrace'
    }
  }, [title])
}
