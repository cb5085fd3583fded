const RANDOM_BYTES = 18

/** A run's id that nobody guesses, allocated before the server has heard of it: 144 random bits. */
export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  return `run_${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')}`
}

/**
 * The message and its block that the server logs directly after `run-start` for what a person sent. A chat event's id is
 * `runId/messageId`, and the client has allocated the run's id: so all ids are known before the server has answered.
 */
export const USER_MESSAGE = { messageId: 'input-1', blockId: 'input-1-text' } as const
