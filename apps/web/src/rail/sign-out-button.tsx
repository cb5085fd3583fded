import { useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { troubleText } from '../trouble.ts'

/** Takes the token from this browser. Runs go on, and other browsers stay signed in. */
export function SignOutButton() {
  const { signOut } = useApp()
  const [trouble, setTrouble] = useState<string>()
  const words = trouble === undefined ? 'Sign out of this browser' : `Not signed out. ${trouble}`
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={words}
      title={words}
      onClick={() => signOut().catch((error) => setTrouble(troubleText(error)))}
    >
      <Icon name={trouble === undefined ? 'sign-out' : 'warning'} />
    </button>
  )
}
