import type { SocketRoute } from '../services.ts'
import { chatSockets } from './chat.ts'
import { runSockets } from './runs.ts'
import { sessionSockets } from './sessions.ts'
import { showSockets } from './show.ts'

/** Every WebSocket of the API. */
export const socketRoutes: readonly SocketRoute[] = [...runSockets, ...chatSockets, ...sessionSockets, ...showSockets]
