import { type FormEvent, useId, useState } from 'react'
import { useApp } from './app-context.ts'

const NOT_VALID = 'This is not the token of this server.'
const NO_ANSWER = 'The server does not answer.'

/** Signs this browser in, as the address that the server printed does: the token becomes a cookie that no script can read. */
export function TokenForm() {
  const { basePath } = useApp()
  const [trouble, setTrouble] = useState<string>()
  const field = useId()

  async function signIn(token: string): Promise<void> {
    try {
      const answer = await fetch(`${basePath}/?${new URLSearchParams({ token })}`, { credentials: 'same-origin' })
      if (answer.ok) location.reload()
      else setTrouble(NOT_VALID)
    } catch {
      setTrouble(NO_ANSWER)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = String(new FormData(event.currentTarget).get('token')).trim()
    if (token !== '') void signIn(token)
  }
  return (
    <form className="token-form" onSubmit={submit}>
      <label htmlFor={field}>Or paste the token here; it is in the file “token” of the data folder:</label>
      <span>
        <input id={field} name="token" type="password" className="select" autoComplete="off" spellCheck={false} />
        <button type="submit" className="mr-button button mr-primary">
          Open
        </button>
      </span>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
    </form>
  )
}
