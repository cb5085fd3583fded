/** The bytes of files in events. */
export { sizeOf } from '../data/base64.ts'
export { concreteType } from '../data/image-type.ts'
export type { LargeFile, StoreFile } from '../read/large-files.ts'
