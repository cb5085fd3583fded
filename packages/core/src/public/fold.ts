/** Entries become chat events of segments, and what is derived from those. */
export {
  type Block,
  blockLabel,
  blocksOf,
  durationBetween,
  groupedBlocksOf,
  type ProcessingBlock,
  type ThinkingBlock,
} from '../fold/blocks.ts'
export { EventBuilder } from '../fold/event-builder.ts'
export { createFold, FOLD_VERSION, type Fold, type FoldOptions, fold, totalsOf } from '../fold/fold.ts'
export { createJoin, type JoinRuns } from '../fold/join-runs.ts'
export {
  createMessageRow,
  getText,
  getThinking,
  type MessageRow,
  type MessageRowBuilder,
  type MessageRowOptions,
  messageRow,
  partsOfRow,
  type RowPart,
} from '../fold/message-row.ts'
export { type OpenPart, openPartsOf } from '../fold/open-parts.ts'
export { observationsOf } from '../fold/panes/observations.ts'
export { type ChatItem, type IdeCell, type Panes, paneOf, panesOf, type TerminalLine } from '../fold/panes.ts'
export { createPartialJson, type PartialJson } from '../fold/partial-json.ts'
export { FILE, type RunDigest, runDigestOf, stepAt } from '../fold/run-digest.ts'
export { partDurationOf, runDurationOf } from '../fold/run-duration.ts'
export { withRunUsage } from '../fold/run-usage.ts'
export { SEARCH_KINDS, SEARCH_VERSION, type SearchKind, type SearchText, searchTextsOf } from '../fold/search-texts.ts'
export type * from '../fold/shapes.ts'
export { type LeafSegment, leavesOf, toolsIn } from '../fold/subagent-walk.ts'
export { createThreadProcessor, type ThreadProcessor, type ThreadProcessorOptions } from '../fold/thread-processor.ts'
export { LONGEST_TITLE, titleOfTalk } from '../fold/thread-title.ts'
export { type TimelineItem, timelineOf } from '../fold/timeline.ts'
export { type ToolCode, toolCodeOf } from '../meaning/code-input.ts'
