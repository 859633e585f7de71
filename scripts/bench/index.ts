export { compareRuns, parseRun, renderComparison } from './compare.ts'
export { bundledSizes, callsPerSecond, freePort, medians, opsPerSecond } from './measure.ts'
export { type Ended, Program } from './program.ts'
export { type Bench, type Row, render, rowsOf } from './table.ts'
