/** Entries become the chunks of a wire protocol. */
export { allWires, getWire, registerWire, type WireName, wires } from '../wire/index.ts'
export { cursorFirstFrameOf, sseFrame, sseFrameOf, sseTerminator } from '../wire/sse-frames.ts'
export type { Chunk, Wire, WireOptions, WireState } from '../wire/wire.ts'
