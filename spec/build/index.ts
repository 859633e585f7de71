export type { Basis, Question, Register } from '../lint/register.ts'
export { type Built, buildSpec, SPEC } from './build.ts'
export { printProblems } from './problems.ts'
