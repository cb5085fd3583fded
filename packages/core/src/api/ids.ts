const RANDOM_BYTES = 18

/** A run id that cannot be guessed: 144 random bits. A client may allocate it before the run is created. */
export const newRunId = (): string => randomId('run')

/** A thread id that cannot be guessed: 144 random bits. A client may allocate it before the thread is created. */
export const newThreadId = (): string => randomId('thr')

/** The id of a message to an agent that runs: 144 random bits. A client may allocate it. */
export const newMessageId = (): string => randomId('msg')

function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
  const base64 = btoa(String.fromCharCode(...bytes))
  return `${prefix}_${base64.replaceAll('+', '-').replaceAll('/', '_')}`
}

/**
 * The message and its block that the server logs directly after `run-start` for the user's input. A chat event's id is
 * `runId/messageId` and the client may allocate the run's id, so a client can know all three before the server answers.
 */
export const USER_MESSAGE = { messageId: 'input-1', blockId: 'input-1-text' } as const

/** The path at which the server serves a stored file. */
export const fileUrl = (fileId: string): string => `/api/files/${encodeURIComponent(fileId)}`

/** One segment, without a character that a browser drops or decodes. */
const STORED_FILE = /^\/api\/files\/([A-Za-z0-9_-]{1,200})$/

/** The id of a stored file by its path; undefined for any other address. */
export const storedFileId = (url: string | undefined): string | undefined => STORED_FILE.exec(url ?? '')?.[1]
