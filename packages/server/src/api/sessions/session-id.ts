import { newThreadId } from '@millrace/core/api/ids'

/**
 * A session is a thread, and a thread knows its agent only by its runs. Until there is one, the id alone can tell which
 * agent was asked for, also after a restart.
 */

const MARK = '~'

export function mintSessionId(agent: string | undefined): string {
  const id = newThreadId()
  return agent === undefined ? id : `${id}${MARK}${Buffer.from(agent).toString('base64url')}`
}

/** The agent that the session was made for; nothing where none was named, or the thread was made by other means. */
export function agentIn(sessionId: string): string | undefined {
  const [, mark] = /^thr_[\w-]+~([\w-]+)$/.exec(sessionId) ?? []
  return mark === undefined ? undefined : Buffer.from(mark, 'base64url').toString('utf8')
}
