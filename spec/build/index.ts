export { type Built, buildSpec, SPEC } from './build.ts'
export { printProblems } from './problems.ts'
