/** Why a setting of a server cannot be used: one sentence each, or undefined. Cheap to import. */
export { basePathProblem, hostNameProblem, originProblem } from '../api/addresses.ts'
export { tokenProblem } from '../api/token.ts'
