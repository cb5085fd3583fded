import type { Route } from '../services.ts'
import { agUiRoutes } from './ag-ui.ts'
import { agentRoutes } from './agents.ts'
import { chatRoutes } from './chat.ts'
import { commandRoutes } from './commands.ts'
import { fileRoutes } from './files.ts'
import { healthRoutes } from './health.ts'
import { ingestRoutes } from './ingest.ts'
import { rawRoutes } from './raw.ts'
import { runListRoutes } from './run-list.ts'
import { runRoutes } from './runs.ts'
import { searchRoutes } from './search.ts'
import { sessionRoutes } from './sessions.ts'
import { showRoutes } from './show.ts'
import { signOutRoutes } from './sign-out.ts'
import { streamRoutes } from './streams.ts'
import { threadRoutes } from './threads.ts'

/** Every route of the API, with its policy. */
export const routes: readonly Route[] = [
  ...healthRoutes,
  ...agentRoutes,
  ...threadRoutes,
  ...searchRoutes,
  ...runListRoutes,
  ...runRoutes,
  ...commandRoutes,
  ...ingestRoutes,
  ...streamRoutes,
  ...rawRoutes,
  ...fileRoutes,
  ...chatRoutes,
  ...agUiRoutes,
  ...sessionRoutes,
  ...showRoutes,
  ...signOutRoutes,
]
