/** The API inside a server of yours. */
export { createHandler, type Handler, type HandlerOptions } from '../handler.ts'
