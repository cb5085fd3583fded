import type { CountLabel, NameLabel } from './labels.ts'
import type { ThreadStatus } from './threads/thread-status.ts'

const threadStatus: { readonly [State in ThreadStatus]: string } = {
  'needs-you': 'Needs you',
  'handed-over': 'Waiting for its client',
  'left-open': 'Ended with a question',
  live: 'Live',
  waiting: 'Waiting for its producer',
  done: 'Finished',
  failed: 'Failed',
  interrupted: 'Interrupted',
  stopped: 'Stopped by you',
  cancelled: 'Stopped',
  empty: 'No run yet',
}

/** The texts of the parts around the messages, in English. */
export const chatLabels = {
  // The end of the thread.
  latest: 'Latest',
  approvalWaits: 'Approval waiting',
  newPieces: ((_, shown) => `${shown} new`) as CountLabel,

  waitingForModel: 'Waiting for the model',

  // The composer.
  message: 'Message',
  send: 'Send',
  sendRun: 'Send (Enter)',
  sendNow: 'Send to the agent now (Enter)',
  sendNext: 'Send after this run (Enter)',
  notSent: ((reason) => `Not sent. ${reason}`) as NameLabel,
  agent: 'Agent',
  noAgent: 'No agent',
  notAvailable: 'Not available',
  agentIsFixed: 'The agent of this run. Another one can be chosen when the run has ended.',
  enterWhileRunning: 'What Enter does while the agent runs',
  steer: 'Steer',
  steerTitle: 'Enter sends to the agent now; with ⌘ or Ctrl after this run',
  queue: 'Queue',
  queueTitle: 'Enter sends after this run; with ⌘ or Ctrl to the agent now',
  stop: 'Stop',
  stopping: 'Stopping…',

  // The files of a message.
  attachFiles: 'Attach files',
  filesToAttach: 'Files to attach',
  filesOfMessage: 'Files of this message',
  dropToAttach: 'Drop to attach',
  uploading: 'Uploading…',
  notUploaded: ((reason) => `Not uploaded. ${reason}`) as NameLabel,
  remove: 'Remove',
  removeFile: ((name) => `Remove ${name}`) as NameLabel,
  /** `most` is in megabytes. */
  filesTooLarge: (count: number, shown: string, most: string): string =>
    `${filesWere(count, shown)} not added: a file has at most ${most} MB.`,
  filesTooMany: (count: number, shown: string, most: string): string =>
    `${filesWere(count, shown)} not added: a message has at most ${most} files.`,

  // Times.
  justNow: 'now',
  minutesAgo: ((count) => `${count}m`) as NameLabel,
  hoursAgo: ((count) => `${count}h`) as NameLabel,
  daysAgo: ((count) => `${count}d`) as NameLabel,
  today: 'Today',
  yesterday: 'Yesterday',
  dayAndTime: (day: string, time: string): string => `${day}, ${time}`,

  // The state of a run.
  threadStatus,
  /** When it came to its end: `Finished 14:09`. */
  endedAt: (status: string, moment: string): string => `${status} ${moment}`,
  sending: 'Sending…',
  readingLog: 'Reading the log…',
  serverSilent: 'The server does not answer',
  connecting: 'Connecting…',
  serverUnreachable: ((again) => `Server unreachable, ${again}`) as NameLabel,
  offline: ((again) => `Offline, ${again}`) as NameLabel,
  disconnected: 'Disconnected from the run',
  tryingAgain: 'trying again…',
  tryingAgainIn: ((seconds) => `trying again in ${seconds} s`) as NameLabel,
  waitingForAnswer: 'Waiting for your answer',
  producerGoneFor: ((seconds) => `Waiting for its producer, for ${seconds} s more`) as NameLabel,
  streaming: 'Streaming',
  modelSilent: ((seconds) => `Model silent ${seconds} s`) as NameLabel,
  silentToolRunning: ((seconds) => `Model silent ${seconds} s · tool running`) as NameLabel,
  silentNothingRunning: ((seconds) => `Model silent ${seconds} s · nothing running`) as NameLabel,
  durableTo: 'log durable to',
  logUnreachable: 'log unreachable',
  youAreAt: 'you are at',
  entryNumber: ((seq) => `#${seq}`) as NameLabel,

  // The list of threads.
  noThreads: 'No threads yet.',
  noThreadMatches: ((search) => `No thread matches “${search}”.`) as NameLabel,
  olderThreads: 'Older threads',
  loadingOlder: 'Loading older threads…',
  untitled: 'Untitled thread',
  runOf: ((format) => `${format} run`) as NameLabel,
  asksYou: 'waiting for your answer',
  asksAbout: ((tool) => `approve ${tool}`) as NameLabel,
  asksClient: 'waiting for an answer from its client',
  waitsForResults: 'waiting for tool results',
  endsAsking: 'ends with a question',
  endsCalling: 'ends with an open call',
  waitsForProducer: 'waiting for its producer',
  finished: 'finished',
  failedAt: ((seq) => `failed at #${seq}`) as NameLabel,
  interruptedAt: ((seq) => `interrupted at #${seq}`) as NameLabel,
}

const filesWere = (count: number, shown: string) => (count === 1 ? '1 file was' : `${shown} files were`)

export type ChatLabels = Readonly<typeof chatLabels>
