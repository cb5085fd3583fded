/** Why an agent's run fails: a code for the program, a sentence for the person. Thrown by an agent, it is the run's error. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
