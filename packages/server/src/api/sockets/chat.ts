import { openLine } from '../../deliver/websocket.ts'
import { createTalk } from '../chat/talk.ts'
import { checkProfile } from '../routes/streams.ts'
import type { AskedSocket, Connected, Services, SocketRoute } from '../services.ts'
import { readFrames } from './inbox.ts'

/** As much as a request may have over HTTP. */
const MOST_BYTES = 4 * 1024 * 1024

async function open({ query: { profile } }: AskedSocket, services: Services): Promise<Connected> {
  checkProfile('ai-sdk', profile)
  const { timing, shutdown } = services
  return async (socket) => {
    const line = openLine({ socket, timing, shutdown })
    line.sink.closed.addEventListener('abort', () => line.pacer.stop())
    const hear = createTalk(services, line, profile)
    readFrames(socket, (frame) => hear(frame.toString('utf8')))
  }
}

/** The AI SDK's WebSocket transport for chats. */
export const chatSockets: readonly SocketRoute[] = [{ path: '/api/chat/ws', maxPayload: MOST_BYTES, open }]
