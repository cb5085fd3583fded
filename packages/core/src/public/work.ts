/** What an agent did with files and commands: pure views over chat events. */
export { type Call, callsOf, stepsOf, type WorkStep } from '../fold/work/calls.ts'
