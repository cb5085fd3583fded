import { millrace } from '../../../millrace.ts'

const answer = async (request: Request): Promise<Response> => (await millrace()).fetch(request)

/** A run is asked for when it is wanted, never when the app is built. */
export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE } = {
  GET: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
}
