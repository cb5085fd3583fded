/** Tests a parser over recordings of its format. */
export { brief, type Effort, thorough } from '../law.ts'
export { parserSuite } from '../parser-suite.ts'
