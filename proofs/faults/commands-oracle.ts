import type { Entry } from '@millrace/core/entry'
import type { Log, StoredCommand, StoredRun } from '@millrace/server/log/log'
import { type Asked, CLEAN_UP } from './asked-runs.ts'

/**
 * What is wrong with a run of which something was asked: every command is settled, what was answered as applied is in the
 * log, and nothing is there twice.
 */
export async function askedProblems(log: Log, run: StoredRun, asked: readonly Asked[]): Promise<readonly string[]> {
  const entries: Entry[] = []
  for await (const batch of log.read(run.id, { after: 0, live: false })) entries.push(...batch)
  const commands = await log.commands(run.id, { after: 0 })
  const problems = [
    ...stateProblems(run, entries, commands),
    ...doubledProblems(entries),
    ...resultProblems(entries, commands),
    ...answerProblems(entries, commands, asked),
  ]
  return problems.map((problem) => `${run.id}: ${problem}`)
}

const isAwaiting = (entries: readonly Entry[]) => {
  const last = entries.findLast(({ event }) => event.type === 'approval')?.event
  return last?.type === 'approval' && last.state === 'requested'
}

/** Only a run with an open question may wait, and only if nothing was asked that could end its waiting. */
function stateProblems(run: StoredRun, entries: readonly Entry[], commands: readonly StoredCommand[]) {
  const isAlone = run.agent === undefined && run.owner === undefined && run.state === 'waiting'
  const mayWait = isAlone && isAwaiting(entries)
  const isOver = run.state === 'ended' && entries.at(-1)?.event.type === 'run-end'
  const open = commands.filter(({ result }) => result === undefined)
  return [
    ...(isOver || mayWait ? [] : [`it is ${run.state}`]),
    ...open.map(({ number, command }) => `command ${number} (${command.type}) is not settled`),
  ]
}

function doubledProblems(entries: readonly Entry[]): readonly string[] {
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  for (const { event } of entries) {
    if (event.type === 'run-end' || event.type === 'run-start') count(event.type)
    if (event.type === 'control' && event.by !== CLEAN_UP)
      count(`${event.action} ${event.messageId ?? ''} ${event.dropped ?? ''}`)
    if (event.type === 'approval') count(`${event.approvalId} ${event.state === 'requested' ? 'asked' : 'answered'}`)
  }
  const hasGap = entries.some(({ seq }, index) => seq !== index + 1)
  const doubled = [...counts].filter(([, times]) => times > 1).map(([what, times]) => `${what} ${times} times`)
  return [...doubled, ...(hasGap ? ['seq has a gap or a repeat'] : [])]
}

/** What each applied command must have left in the log. */
function resultProblems(entries: readonly Entry[], commands: readonly StoredCommand[]): readonly string[] {
  return commands.flatMap(({ number, command, result }) => {
    if (result?.state !== 'applied') return []
    return hasEffect(entries, command)
      ? []
      : [`command ${number} (${command.type}) is settled as applied, and not logged`]
  })
}

function hasEffect(entries: readonly Entry[], command: StoredCommand['command']): boolean {
  return entries.some(({ event }) => {
    if (command.type === 'stop') return event.type === 'control' && event.action === 'stop'
    if (command.type === 'steer') return event.type === 'control' && event.messageId === command.messageId
    if (command.type !== 'answer') return true
    return event.type === 'approval' && event.approvalId === command.approvalId && event.state === 'approved'
  })
}

const typeOfPath = (path: string) => (path.endsWith('/stop') ? 'stop' : path.endsWith('/messages') ? 'steer' : 'answer')

/** What a client was answered is the result that is stored. A run that has ended takes no further command. */
function answerProblems(entries: readonly Entry[], commands: readonly StoredCommand[], asked: readonly Asked[]) {
  return asked.flatMap(({ path, status }) => {
    const type = typeOfPath(path)
    const stored = commands.filter(({ command, by }) => command.type === type && by !== CLEAN_UP)
    const isApplied = stored.some(({ result }) => result?.state === 'applied')
    const applied = type === 'steer' ? [202] : [200]
    if (stored.length > 1) return [`${type} is stored ${stored.length} times`]
    if (applied.includes(status ?? 0) && !isApplied && !(type === 'stop' && isEnded(entries)))
      return [`${type} was answered ${status}, and is ${JSON.stringify(stored[0]?.result)}`]
    if (status === 409 && isApplied) return [`${type} was answered 409, and is applied`]
    return []
  })
}

const isEnded = (entries: readonly Entry[]) => entries.at(-1)?.event.type === 'run-end'
