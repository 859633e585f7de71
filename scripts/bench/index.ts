export { compareRuns, parseRun, renderComparison } from './compare.ts'
export { bundledSizes, callsPerSecond, medians, opsPerSecond } from './measure.ts'
export { type Bench, type Row, render, rowsOf } from './table.ts'
