/** Raw records become events: the formats, how to recognise them, and how to write one. */
export { DETECT_WITHIN, type Detection, detectFormat, sampleSize } from '../parse/detect.ts'
export { aliases, allParsers, type FormatName, getParser, parsers, registerParser } from '../parse/index.ts'
export {
  dispatch,
  type Handlers,
  type Parser,
  type ParserState,
  type Recognition,
  SILENT,
  understood,
  unmapped,
} from '../parse/parser.ts'
export { type MapValue, withTypes } from '../parse/with-types.ts'
