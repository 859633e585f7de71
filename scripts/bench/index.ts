export { bundledSize, callsPerSecond, freePort, opsPerSecond } from './measure.ts'
export { type Bench, type Row, render, rowsOf } from './table.ts'
