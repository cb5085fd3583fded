import { ApiError } from '@millrace/core/api'
import { guardedRequestOf } from '../request.ts'
import type { Context, Route, Services } from '../services.ts'

/** Takes the cookie away that `/?token=…` has set. The token itself stays good. */
function signOut(context: Context, { guard }: Services): Response {
  const cookie = guard.signOut(guardedRequestOf(context))
  if (cookie === undefined) {
    throw new ApiError(
      404,
      'no-sign-in',
      'Nobody is signed in by a cookie of this server; a host ends its own sessions.',
    )
  }
  return context.body(null, 204, { 'set-cookie': cookie })
}

export const signOutRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/sign-out', policy: 'token', handle: signOut },
]
