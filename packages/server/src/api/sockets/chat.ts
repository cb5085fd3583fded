import { openLine } from '../../deliver/websocket.ts'
import { createSocketChat } from '../chat/socket-chat.ts'
import { checkProfile } from '../routes/streams.ts'
import type { ServeSocket, Services, SocketRequest, SocketRoute } from '../services.ts'
import { readFrames } from './read-frames.ts'

/** As much as a request may have over HTTP. */
const MOST_BYTES = 4 * 1024 * 1024

async function open({ query: { profile } }: SocketRequest, services: Services): Promise<ServeSocket> {
  checkProfile('ai-sdk', profile)
  const { timing, shutdown } = services
  return async (socket) => {
    const line = openLine({ socket, timing, shutdown })
    line.sink.closed.addEventListener('abort', () => line.pacer.stop())
    const receive = createSocketChat(services, line, profile)
    readFrames(socket, (frame) => receive(frame.toString('utf8')))
  }
}

/** The AI SDK's WebSocket transport for chats. */
export const chatSockets: readonly SocketRoute[] = [{ path: '/api/chat/ws', maxPayload: MOST_BYTES, open }]
