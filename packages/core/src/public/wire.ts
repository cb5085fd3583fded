/** Entries become the chunks of a wire protocol. */
export { createHistory, type History, type LoadedRun } from '../wire/history.ts'
export { allWires, getWire, registerWire, type WireName, wires } from '../wire/index.ts'
export { sseFrame, sseFrameOf, sseTerminator } from '../wire/sse-frames.ts'
export type { Chunk, HistoryReader, Wire, WireOptions, WireState } from '../wire/wire.ts'
