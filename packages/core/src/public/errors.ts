export { type ErrorCode, type Problem, StreamError } from '../errors.ts'
