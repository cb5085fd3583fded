/** Bytes become raw records. */
export { type Framing, getSource, sources } from '../source/index.ts'
export {
  type CreateSource,
  type DetectedFraming,
  type RawRecord,
  recordOf,
  type Source,
  type SourceOptions,
  TERMINATOR,
} from '../source/source.ts'
