/** Raw records become well-formed events: parse and normalize as one. */
export { createReader, READER_VERSION, type Reader, type ReaderOptions } from '../read/read.ts'
export { createStamp } from '../read/stamp.ts'
