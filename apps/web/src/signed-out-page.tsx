import { useEffect, useRef } from 'react'
import { Wordmark } from './icon.tsx'

/** The page after signing out. It holds nothing of a thread, and nothing more is requested from the server. */
export function SignedOutPage() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="millrace app signed-out">
      <main className="main" id="main">
        <header className="bar">
          <Wordmark />
        </header>
        <div className="trouble">
          <h1 ref={heading} tabIndex={-1}>
            You are signed out
          </h1>
          <p>
            This browser no longer has a token. Runs continue, and everything stays in the log. To sign in again, open
            the address that <code>millrace serve</code> printed; it ends in <code>?token=…</code>.
          </p>
        </div>
      </main>
    </div>
  )
}
