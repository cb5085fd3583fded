import type { Route } from '../services.ts'

export const healthRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/health', policy: 'open', handle: (context) => context.json({ status: 'ok' }) },
  {
    method: 'GET',
    path: '/api/agents',
    policy: 'token',
    handle: (context, { runs }) =>
      context.json({
        agents: runs.agents().map(({ name, title, description, format }) => ({ name, title, description, format })),
      }),
  },
]
