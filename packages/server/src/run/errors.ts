/** One sentence per code: the code is for the program, the sentence for the person. */
const sentences = {
  'unknown-agent': (name: string) => `No agent is called "${name}".`,
  'agent-unavailable': (sentence: string) => sentence,
  'too-nested': (name: string) => `"${name}" is not run: the runs that called each other are nested too deep.`,
  'unknown-format': (name: string) => `No parser is registered for "${name}".`,
  'format-not-recognised': (reason: string) => `The format was not recognised: ${reason} Name it with \`format\`.`,
  'unknown-run': (runId: string) => `There is no run "${runId}".`,
  'wrong-thread': (runId: string) => `Run "${runId}" belongs to another thread.`,
  'wrong-format': (format: string) => `The run was started with the format "${format}".`,
  'not-ingested': (runId: string) => `Run "${runId}" belongs to an agent of this server; no producer can add to it.`,
  'not-open': (callId: string) => `No call "${callId}" waits for an output.`,
  'not-for-agents': (type: string) => `Only the server adds events of type "${type}".`,
  'not-asked': (approvalId: string) => `No approval "${approvalId}" is open.`,
  'not-pending': (messageId: string) => `No message "${messageId}" waits for the agent.`,
  'nobody-listens': (runId: string) => `Nobody follows the commands of run "${runId}" for its producer.`,
  'run-busy': (runId: string) => `Run "${runId}" already has a producer.`,
  'run-closed': (runId: string) => `Run "${runId}" has ended; nothing can be added.`,
  'stale-attempt': (runId: string) => `A later attempt has taken run "${runId}" over.`,
  'other-record': (number: string) => `Record ${number} of the body is not the one that is stored under its number.`,
  gap: (detail: string) => `Records are missing in between: ${detail}.`,
  'broken-off': (runId: string) => `The stream of run "${runId}" was interrupted; the run waits for its producer.`,
  'lease-lost': (runId: string) => `This node has lost its lease; run "${runId}" can continue at another.`,
  'out-of-step': (runId: string) =>
    `This node has misread how far run "${runId}" is; it can continue behind what is stored, here or at another.`,
  draining: () => 'The server takes no new runs: it is about to stop.',
  closing: (runId: string) => `The server is closing; run "${runId}" can continue after its next start.`,
} as const

export type RefusalCode = keyof typeof sentences

export interface RefusalOptions extends ErrorOptions {
  readonly rawRecords?: number
}

/** A refused request. An error of the log itself, such as a full disk, is a `LogError`. */
export class RunRefusal extends Error {
  override readonly name = 'RunRefusal'
  readonly code: RefusalCode
  /** How many raw records of the run are durable, if the producer needs the number to continue. */
  readonly rawRecords: number | undefined

  constructor(code: RefusalCode, detail: string, options: RefusalOptions = {}) {
    super(sentences[code](detail), options)
    this.code = code
    this.rawRecords = options.rawRecords
  }
}
