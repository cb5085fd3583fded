/** The views, the parts that they are built of, and the hook that connects a store. */
export { type Announcements, announcementsOf } from './announcements.ts'
export { Announcer, type AnnouncerProps } from './announcer.tsx'
export { Boundary, type BoundaryProps } from './boundary.tsx'
export type { CodeProps, Components, ImageProps, LinkProps, MarkdownProps, SegmentProps } from './components.ts'
export { CopyButton, type CopyButtonProps } from './copy-button.tsx'
export { DisclosureCard, type DisclosureCardProps } from './disclosure-card.tsx'
export { durationOf, durationText, secondsText } from './durations.ts'
export { EventView, type EventViewProps } from './event-view.tsx'
export { type CountLabel, englishLabels, type Labels, labelsWith, type NameLabel } from './labels.ts'
export { safeFileLink, safeImage, safeLink } from './links.ts'
export { Markdown } from './markdown/markdown.tsx'
export { createSplitter } from './markdown/split.ts'
export { Modal, type ModalProps } from './modal.tsx'
export { bytesText, type NumberLabels } from './numbers.ts'
export { Output, type OutputProps } from './output/output.tsx'
export { type Layout, membersOf, type Piece, piecesOf, seqsOf } from './pieces.ts'
export { SegmentView, type SegmentViewProps } from './segment-view.tsx'
export { eventsToDraw, ThreadView, type ThreadViewProps } from './thread-view.tsx'
export { createToggles, type Toggles } from './toggles.ts'
export { argumentOf } from './tools/argument.ts'
export { type ChangedLine, changesOf } from './tools/changes.ts'
export { bareNameOf, kindNameOf, type ToolKindName } from './tools/kinds.ts'
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
