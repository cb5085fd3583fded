import { millrace } from '../../../millrace.ts'

const answer = async (request: Request): Promise<Response> => (await millrace()).fetch(request)

/** Requests are handled at run time, never when the app is built. */
export const dynamic = 'force-dynamic'

/** With `OPTIONS`: otherwise Next answers the preflights of other pages itself. */
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = {
  GET: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
  OPTIONS: answer,
}
