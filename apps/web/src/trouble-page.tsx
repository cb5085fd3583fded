import { ApiError } from '@millrace/core/client'
import { Link } from './link.tsx'
import { MenuButton } from './menu-button.tsx'
import { PlainStatus } from './status/plain-status.tsx'
import { type Trouble, troubleOf } from './trouble.ts'

/** What is shown in the place of a thread that cannot be. */
export function TroublePage({ error, threadId }: { readonly error: unknown; readonly threadId?: string }) {
  const { title, advice } = troubleFor(error, threadId)
  return (
    <>
      <main className="main" id="main">
        <header className="bar">
          <MenuButton />
        </header>
        <div className="trouble" role="alert">
          <h1>{title}</h1>
          <p>{advice}</p>
          <p className="trouble-actions">
            <Link to={{ name: 'start' }} className="mr-button button">
              Start page
            </Link>
            <button type="button" className="mr-button button" onClick={() => location.reload()}>
              Try again
            </button>
          </p>
        </div>
      </main>
      <PlainStatus words={title} tone="bad" />
    </>
  )
}

function troubleFor(error: unknown, threadId: string | undefined): Trouble {
  if (threadId === undefined || !(error instanceof ApiError) || error.status !== 404) return troubleOf(error)
  return {
    title: 'There is no such thread',
    advice: `The log has nothing under “${threadId}”. It may have been deleted, or the link belongs to another server.`,
  }
}
