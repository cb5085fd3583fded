/** Any events become well-formed events. */
export { balance } from '../normalize/balance.ts'
export { createNormalizer } from '../normalize/index.ts'
export { type CreatePass, type Emit, type Pass, pipe } from '../normalize/pass.ts'
export { settle } from '../normalize/settle.ts'
export { createThinkTags } from '../normalize/think-tags.ts'
