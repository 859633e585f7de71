export { bundledSize, bundledSizes, callsPerSecond, freePort, median, opsPerSecond } from './measure.ts'
export { type Bench, type Row, render, rowsOf } from './table.ts'
