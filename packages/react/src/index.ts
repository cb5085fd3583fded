/** The views, the parts that they are built of, and the hook that connects a store. */
export { type Announcements, announcementsOf } from './announcements.ts'
export { Announcer, type AnnouncerProps } from './announcer.tsx'
export { Boundary, type BoundaryProps } from './boundary.tsx'
export type { ChatLabels } from './chat-labels.ts'
export type { CodeProps, Components, ImageProps, LinkProps, MarkdownProps, SegmentProps } from './components.ts'
export { AgentPicker, type AgentPickerProps, AgentTile, splitAgents } from './composer/agent-picker.tsx'
export { Composer, type ComposerProps } from './composer/composer.tsx'
export type { Delivery, Draft, LiveRun, Unsent } from './composer/draft.ts'
export { isComposing } from './composer/keys.ts'
export { StopButton, type StopButtonProps } from './composer/stop-button.tsx'
export { MOST_BYTES, MOST_FILES, type Upload } from './composer/use-attachments.ts'
export { CopyButton, type CopyButtonProps } from './copy-button.tsx'
export { DisclosureCard, type DisclosureCardProps } from './disclosure-card.tsx'
export { durationOf, durationText, secondsText } from './durations.ts'
export { EventView, type EventViewProps, type SharedViewProps } from './event-view.tsx'
export { formatTitle } from './format-titles.ts'
export { type CountLabel, englishLabels, type Labels, labelsWith, type NameLabel } from './labels.ts'
export { safeFileLink, safeImage, safeLink } from './links.ts'
export { type Token, tokensOf } from './markdown/highlight.ts'
export { Markdown } from './markdown/markdown.tsx'
export { createSplitter } from './markdown/split.ts'
export { Modal, type ModalProps } from './modal.tsx'
export { bytesText, type NumberLabels } from './numbers.ts'
export { plainText } from './output/ansi.ts'
export { Output, type OutputProps } from './output/output.tsx'
export { type Layout, membersOf, type Piece, type PieceOptions, piecesOf, seqsOf } from './pieces.ts'
export { SegmentView, type SegmentViewProps } from './segment-view.tsx'
export { isCutOff, type Liveness, type LivenessFacts, livenessOf, type Tone } from './status/liveness.ts'
export { PlainStatusLine, type PlainStatusLineProps, StatusLine, type StatusLineProps } from './status/status-line.tsx'
export type { EntryAddress } from './thread/entry-location.ts'
export { Thread, type ThreadProps } from './thread/thread.tsx'
export type { PieceAddress, ThreadHandle } from './thread/thread-handle.ts'
export { type Follow, useFollow } from './thread/use-follow.ts'
export { createTurns, runsOf, seqsOfPiece, type Turn, type TurnPiece, type TurnsOf } from './thread-turns.ts'
export { eventsToDraw, ThreadView, type ThreadViewProps } from './thread-view.tsx'
export {
  createRunListStore,
  type RunListSnapshot,
  type RunListStore,
} from './threads/run-list-store.ts'
export {
  factsText,
  type RunSummary,
  sourceTitle,
  summaryOf,
  type ThreadFacts,
  type ThreadSummary,
  titleOf,
} from './threads/summary.ts'
export { openQuestions, runningTool } from './threads/thread-activity.ts'
export { ThreadList, type ThreadListProps } from './threads/thread-list.tsx'
export {
  createThreadListStore,
  type FollowList,
  THREADS_PER_PAGE,
  type ThreadChange,
  type ThreadListSnapshot,
  type ThreadListStore,
} from './threads/thread-list-store.ts'
export { StateGlyph } from './threads/thread-row.tsx'
export { isRunning, type ThreadStatus, threadStatusOf } from './threads/thread-status.ts'
export { agoText, dayText, momentText, useNow } from './times.ts'
export { createToggles, type Toggles } from './toggles.ts'
export { argumentOf } from './tools/argument.ts'
export { type ChangedLine, changesOf } from './tools/changes.ts'
export { bareNameOf, kindNameOf, type ToolKindName } from './tools/kinds.ts'
export { factsOfTurn, type StepFacts, type TotalsByRun, type TurnFacts } from './turn-facts.ts'
export { type Disclosure, useDisclosure } from './use-disclosure.ts'
export { type Store, useStore, useStore as useRun, useStore as useThread } from './use-store.ts'
export {
  type AnswerOptions,
  type ApprovalAnswer,
  useViewContext,
  type ViewActions,
  type ViewContext,
  type ViewSettings,
} from './view-context.ts'
