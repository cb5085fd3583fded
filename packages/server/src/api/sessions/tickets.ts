import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Tickets for the WebSockets of sessions. A page of another origin can give its WebSocket neither a header nor our cookie,
 * and a token in an address would stay valid wherever the address is written down.
 */
export interface Tickets {
  /** A ticket that opens the WebSocket of this session once, within a minute. Nothing of it is kept but a digest. */
  issue(sessionId: string): string
  /** The session that the ticket opens; undefined if it opens none. The ticket is spent, whatever the caller makes of it. */
  redeem(ticket: string): string | undefined
}

export interface TicketsOptions {
  /** In ms; it MUST never go back. */
  readonly now?: () => number
  /** The most tickets that are good at once; the oldest makes way. */
  readonly most?: number
}

/** How long a ticket is good, in ms. */
const LIFE = 60_000

interface Issued {
  readonly sessionId: string
  readonly digest: Buffer
  readonly expires: number
}

/** A ticket is an id, by which it is found, and a secret, which is compared in constant time. */
export function createTickets({ now = () => performance.now(), most = 10_000 }: TicketsOptions = {}): Tickets {
  /** In the order in which they expire. */
  const issued = new Map<string, Issued>()

  function forgetExpired(): void {
    for (const [id, { expires }] of issued) {
      if (expires > now() && issued.size <= most) return
      issued.delete(id)
    }
  }

  return {
    issue(sessionId) {
      const [id, secret] = [randomBytes(9).toString('base64url'), randomBytes(24).toString('base64url')]
      issued.set(id, { sessionId, digest: digestOf(secret), expires: now() + LIFE })
      forgetExpired()
      return `${id}.${secret}`
    },
    redeem(ticket) {
      forgetExpired()
      const [id = '', secret = '', ...rest] = ticket.split('.')
      const found = issued.get(id)
      if (found === undefined || rest.length > 0 || !timingSafeEqual(digestOf(secret), found.digest)) return undefined
      issued.delete(id)
      return found.sessionId
    },
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()

const PROTOCOL = 'millrace.ticket.'

/**
 * The ticket of a handshake: a subprotocol, which is in no address, or a parameter of the query, for clients that choose only their
 * address.
 */
export function ticketIn({ headers }: IncomingMessage, { searchParams }: URL): string | undefined {
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  const named = protocols.find((protocol) => protocol.startsWith(PROTOCOL))
  return named?.slice(PROTOCOL.length) ?? searchParams.get('ticket') ?? undefined
}
