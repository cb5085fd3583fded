import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/api/sessions'

/** Tickets: good once, for a minute, for one session, and for pages that the server names. */
export const tickets: Stage = {
  name: 'tickets',
  tests: ['packages/server/test/sessions-tickets'],
  mutants: [
    {
      file: `${folder}/tickets.ts`,
      find: '      issued.delete(id)\n      return found',
      replace: '      return found',
      promise: 'a ticket opens once',
    },
    {
      file: `${folder}/tickets.ts`,
      find: 'if (expires > now() && issued.size <= most) return',
      replace: 'if (issued.size <= most) return',
      promise: 'a ticket expires',
    },
    {
      file: `${folder}/tickets.ts`,
      find: 'if (expires > now() && issued.size <= most) return',
      replace: 'if (expires > now()) return',
      promise: 'tickets take a bounded memory',
    },
    {
      file: `${folder}/tickets.ts`,
      find: ' || !timingSafeEqual(digestOf(secret), found.digest)',
      replace: '',
      promise: 'a ticket has a secret',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: '!(route.isSession && params.id === sessionId)',
      replace: '!route.isSession',
      promise: 'a ticket opens its own session only',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: '!(route.isSession && params.id === sessionId)',
      replace: 'params.id !== sessionId',
      promise: 'a ticket opens sessions only',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: 'if (sessionId === undefined) await checkAccess(asked, ticket)',
      replace: 'if (ticket === undefined) await checkAccess(asked, ticket)',
      promise: 'a ticket that is not good opens nothing',
    },
    {
      file: 'packages/server/src/api/upgrades.ts',
      find: '    guard.checkOrigin(asked)\n    const ticket',
      replace: '    if (ticketIn(request, url) === undefined) guard.checkOrigin(asked)\n    const ticket',
      promise: 'a page that the server does not name has no use for a ticket',
    },
  ],
}
