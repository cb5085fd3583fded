import type { SocketRoute } from '../services.ts'
import { runSockets } from './runs.ts'

/** Every WebSocket of the API. */
export const socketRoutes: readonly SocketRoute[] = [...runSockets]
