import { ApiError } from '@millrace/core/client'

/** What went wrong, and what can be done about it. */
export interface Trouble {
  readonly title: string
  readonly advice: string
}

const byStatus: { readonly [status: number]: Trouble } = {
  0: {
    title: 'The server does not answer',
    advice:
      'Nothing is lost: the log keeps everything. This page tries again by itself; start the server with “millrace serve” if it was stopped.',
  },
  401: {
    title: 'This browser has no token',
    advice: 'Open the address that “millrace serve” printed. It ends in ?token=… and is needed once per browser.',
  },
  403: {
    title: 'The server refused this page',
    advice: 'It answers only at its own address. Open the address that “millrace serve” printed.',
  },
}

/** Sentences for refusals whose own sentence speaks to programs. */
const byCode: { readonly [code: string]: string } = {
  'not-pending': 'It is too late: the agent has already taken the message.',
  'nobody-listens': 'The program that feeds this run reads no messages. Wait until the run has ended.',
  'not-asked': 'The question was already answered, or it is no longer asked.',
}

export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError))
    return { title: 'An error occurred in this page', advice: error instanceof Error ? error.message : String(error) }
  return byStatus[error.status] ?? { title: `The server refused the request (${error.status})`, advice: error.message }
}

/** The same as one line. */
export function troubleText(error: unknown): string {
  if (error instanceof ApiError && error.status !== 0 && error.status !== 401)
    return byCode[error.code] ?? error.message
  const { title, advice } = troubleOf(error)
  return `${title}. ${advice}`
}
