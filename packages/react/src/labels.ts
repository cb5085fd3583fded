import type { ApprovalState, EntryMaker, SubagentStatus, TodoStatus } from '@millrace/core/events'
import { chatLabels } from './chat-labels.ts'
import type { ToolKindName } from './tools/kinds.ts'

/** A text about a number of things: `count` decides the form of the words, `shown` is the number as the locale writes it. */
export type CountLabel = (count: number, shown: string) => string

/** A text about something that has a name, or about a number that is formatted already. */
export type NameLabel = (name: string) => string

const toolCounts: { readonly [Kind in ToolKindName]: CountLabel } = {
  command: (count, shown) => `ran ${plural(count, shown, 'command')}`,
  code: (count, shown) => `ran code ${times(count, shown)}`,
  read: (count, shown) => `read ${plural(count, shown, 'file')}`,
  edit: (count, shown) => `edited ${plural(count, shown, 'file')}`,
  write: (count, shown) => `wrote ${plural(count, shown, 'file')}`,
  search: (count, shown) => `searched ${times(count, shown)}`,
  list: (count, shown) => `listed ${plural(count, shown, 'folder')}`,
  web: (count, shown) => `searched the web ${times(count, shown)}`,
  fetch: (count, shown) => `fetched ${plural(count, shown, 'page')}`,
  other: (count, shown) => `used ${plural(count, shown, 'other tool')}`,
}

const todoStatus: { readonly [Status in TodoStatus]: string } = {
  pending: 'To do: ',
  in_progress: 'Now: ',
  completed: 'Done: ',
  cancelled: 'Dropped: ',
}

const makers: { readonly [Maker in EntryMaker]: string } = { server: 'by you', client: 'by its client' }

/** Every text that the package shows or announces, in English. A host replaces any of them. */
export const englishLabels = {
  ...chatLabels,

  // Numbers and times.
  seconds: ((seconds) => `${seconds}s`) as NameLabel,
  minutes: (minutes: string, seconds: string): string => `${minutes}m ${seconds}s`,
  hours: (hours: string, minutes: string): string => `${hours}h ${minutes}m`,
  size: (amount: string, unit: 'B' | 'KB' | 'MB'): string => `${amount} ${unit}`,
  thousands: ((amount) => `${amount}k`) as NameLabel,
  millions: ((amount) => `${amount}M`) as NameLabel,
  percent: ((amount) => `${amount} %`) as NameLabel,
  tokensIn: ((amount) => `${amount} in`) as NameLabel,
  modelTurns: ((count) => (count === '1' ? '1 turn' : `${count} turns`)) as NameLabel,
  tokensOut: ((amount) => `${amount} out`) as NameLabel,

  // What a turn used.
  usageBySteps: 'What each step used',
  step: ((number) => `Step ${number}`) as NameLabel,
  columnStep: 'Step',
  columnInput: 'Input',
  columnCached: 'Cached',
  columnOutput: 'Output',
  columnCost: 'Cost',

  // Messages.
  you: 'You',
  user: 'User',
  messageWithdrawn: 'Message withdrawn and replaced',
  refused: 'Refused',
  answerWritten: 'Answer written',

  // Processing and thinking.
  processing: 'Processing…',
  processed: 'Processed',
  processedIn: ((duration) => `Processed in ${duration}`) as NameLabel,
  warning: 'Warning: ',
  error: 'Error: ',
  thinking: 'Thinking…',
  thought: 'Thought',
  thoughtFor: ((duration) => `Thought for ${duration}`) as NameLabel,
  thoughtHidden: 'kept hidden by the provider',
  thoughtInterrupted: 'interrupted',
  thoughtPlan: 'a plan',
  thoughtSummary: 'a summary',

  // Tools.
  usingTool: ((name) => `Using ${name}…`) as NameLabel,
  writingInput: 'writing input',
  toolInput: ((name) => `${name}, input`) as NameLabel,
  /** The channel is `stdout`, `stderr`, `text`, `data`, `output` or `error`. */
  toolOutput: (name: string, channel: string): string => `${name}, ${channel}`,
  fileContent: ((path) => `${path}, content`) as NameLabel,
  changes: 'Changes',
  exit: ((code) => `exit ${code}`) as NameLabel,
  failed: 'failed',
  denied: 'denied',
  stopped: 'stopped',
  stoppedByYou: 'stopped by you',
  noResult: 'no result',
  toolFinished: ((name) => `${name} finished`) as NameLabel,
  toolFailed: ((name) => `${name} failed`) as NameLabel,
  toolDenied: ((name) => `${name} denied`) as NameLabel,
  toolStopped: ((name) => `${name} stopped`) as NameLabel,
  lines: ((count, shown) => plural(count, shown, 'line')) as CountLabel,
  matches: ((count, shown) => plural(count, shown, 'match', 'matches')) as CountLabel,
  results: ((count, shown) => plural(count, shown, 'result')) as CountLabel,
  entries: ((count, shown) => plural(count, shown, 'entry', 'entries')) as CountLabel,
  tools: ((count, shown) => plural(count, shown, 'tool')) as CountLabel,
  more: ((_, shown) => `${shown} more`) as CountLabel,
  /** What the calls of a group did, by kind of tool. */
  toolCounts,
  usedTool: (name: string, count: number, shown: string): string =>
    `used ${name}${count === 1 ? '' : ` ${shown} times`}`,
  /** The line of a group, from the texts of its kinds. */
  toolSummary: (parts: readonly string[]): string => capitalised(parts.join(', ')),

  // Questions.
  approveTool: ((name) => `Approve ${name}?`) as NameLabel,
  approveCalls: ((_, shown) => `Approve ${shown} calls?`) as CountLabel,
  approveAll: ((_, shown) => `Approve ${shown}`) as CountLabel,
  sameTool: ((name) => `all by ${name}: one answer, or each its own`) as NameLabel,
  oneByOne: 'One by one',
  approvalNeeded: ((name) => `Approval needed: ${name}`) as NameLabel,
  answerNeeded: 'Your answer is needed',
  runWaits: 'The run waits for your answer.',
  waitingFor: ((duration) => `waiting ${duration}`) as NameLabel,
  approve: 'Approve',
  /** The key that approves the focused question, one letter or digit. */
  approveKey: 'A',
  deny: 'Deny',
  denyKey: 'D',
  denyAndSay: 'Deny and say',
  denyAndSayKey: 'E',
  denyWords: 'What the agent should do instead',
  edit: 'Edit',
  cancel: 'Cancel',
  changedInput: 'Changed input',
  approveChanged: 'Approve the change',
  notJson: ((problem) => `This is not valid JSON: ${problem}`) as NameLabel,
  rememberForSession: 'Always allow this for the session',
  /** After the answer: what was approved besides the call itself. */
  withChanges: 'changed',
  forSession: 'for the session',
  approvedInput: 'As it was approved',
  question: 'Question',
  whatIsAsked: 'What is asked',
  questionAndAnswer: 'Question and answer',
  notAnswered: 'not answered',
  expired: 'expired',
  /** Who answered: the user, another client of the stream, or the stream itself if there is no maker. */
  answered: (state: Exclude<ApprovalState, 'requested' | 'expired'>, by: EntryMaker | undefined): string =>
    `${state} ${by === undefined ? 'in the stream' : makers[by]}`,

  // Plans and subagents.
  plan: 'Plan',
  planDone: (done: string, all: string): string => `${done} of ${all}`,
  /** Read before a step by screen readers. */
  todoStatus,
  subagent: 'subagent',
  running: 'running',
  interrupted: 'interrupted',
  subagentEnded: (name: string, state: SubagentStatus): string => `${name} ${state}`,

  // Errors and interruptions.
  recoveredError: 'Error',
  runFailed: 'The run ended with an error',
  keptUpTo: ((seq) => `Everything up to #${seq} is kept.`) as NameLabel,
  continueFromHere: 'Continue from here',
  cut: 'Interrupted',
  cutByYou: 'Stopped by you',
  cutAt: ((seq) => `at #${seq} · everything before it is kept`) as NameLabel,
  continue: 'Continue',

  // Text, code, output and data.
  citations: 'Citations',
  footnotes: 'Footnotes',
  table: 'Table',
  plainCode: 'text',
  code: ((language) => `Code, ${language}`) as NameLabel,
  copyCode: 'Copy code',
  copy: 'Copy',
  copied: 'Copied',
  copyingFailed: 'Copying failed',
  showLines: ((count, shown) => `Show ${shown} more ${count === 1 ? 'line' : 'lines'}`) as CountLabel,
  showWholeLines: 'Show whole lines',
  shownAsWritten: 'Shown as written: not formatted',
  textAsWritten: 'Text as written',
  asJson: ((name) => `${name}, as JSON`) as NameLabel,

  // Files, pictures and sources.
  pictures: 'Pictures',
  sources: 'Sources',
  filesAndSources: 'Files and sources',
  image: 'Image',
  openImage: 'Open image',
  enlarge: ((name) => `Enlarge ${name}`) as NameLabel,
  download: 'Download',
  close: 'Close',
}

/** Every text of the package. `locale` is a language tag for `Intl`: how numbers and times are written. */
export type Labels = Readonly<typeof englishLabels> & { readonly locale?: string }

/** English with these replacements. Throws if the locale is not a language tag, because nothing could be drawn with it. */
export function labelsWith(replacements: Partial<Labels>): Labels {
  const { locale } = replacements
  if (locale !== undefined && !isLanguageTag(locale)) {
    throw new TypeError(`labels.locale is "${locale}"; expected a language tag such as "de" or "en-GB".`)
  }
  return { ...englishLabels, ...withoutAbsent(replacements) }
}

/** A replacement that is undefined is none: a host may pass texts that it has not loaded yet. */
function withoutAbsent(replacements: Partial<Labels>): Partial<Labels> {
  return Object.fromEntries(Object.entries(replacements).filter(([, label]) => label !== undefined))
}

function isLanguageTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch {
    return false
  }
}

function plural(count: number, shown: string, one: string, many = `${one}s`): string {
  return `${shown} ${count === 1 ? one : many}`
}

function times(count: number, shown: string): string {
  return count === 1 ? 'once' : plural(count, shown, 'time')
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
