import type { StreamEvent } from '../events.ts'

/** The fields that say where and when an event belongs, for an event that is added because of it. */
export function placeOf({ messageId, agentId, sentAt }: StreamEvent): {
  readonly messageId?: string
  readonly agentId?: string
  readonly sentAt?: number
} {
  return {
    ...(messageId !== undefined && { messageId }),
    ...(agentId !== undefined && { agentId }),
    ...(sentAt !== undefined && { sentAt }),
  }
}
