/** The API inside a server of yours. */
export type { RequestLine } from '../api/request-watch.ts'
export { createHandler, type Handler, type HandlerOptions } from '../handler.ts'
