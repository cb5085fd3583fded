import type { CommandResult } from '../log/log.ts'
import type { ApprovalAnswer } from './agent.ts'
import { RunRefusal } from './errors.ts'
import type { Runs } from './runs.ts'

/** A command that is stored, but that no owner has settled in time. */
export interface Pending {
  readonly number: number
}

type Teller = Pick<Runs, 'tell'>

/** Asks a run to stop. False if it has ended. */
export async function stopRun(runs: Teller, runId: string, by?: string): Promise<boolean | Pending> {
  const { number, result } = await runs.tell(runId, { command: { type: 'stop' }, ...(by !== undefined && { by }) })
  return result === undefined ? { number } : result.state === 'applied'
}

/** Answers an approval. `not-asked` if it is not open, or not any more. */
export async function answerApproval(
  runs: Teller,
  runId: string,
  approvalId: string,
  answer: ApprovalAnswer,
): Promise<'answered' | 'not-asked' | Pending> {
  const { number, result } = await runs.tell(runId, { command: { type: 'answer', approvalId, answer } })
  if (result === undefined) return { number }
  return result.state === 'applied' ? 'answered' : 'not-asked'
}

/** Throws the refusal of a command. */
export function checkApplied(result: CommandResult | undefined, detail: string): void {
  if (result?.state === 'refused') throw new RunRefusal(result.code as RunRefusal['code'], detail)
}
